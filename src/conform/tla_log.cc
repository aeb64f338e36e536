#include "conform/tla_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "conform/mutant.h"
#include "conform/tla_log_model.h"

namespace ordeal::conform {
namespace {

using tla::EvalError;
using tla::Machine;
using tla::Value;

bool is_any_of(Machine& m, Value value, const std::vector<Value>& forms) {
  return std::any_of(forms.begin(), forms.end(), [&](Value form) {
    try {
      return equal(m.heap(), value, form);
    } catch (const EvalError&) {
      return false;  // of another type
    }
  });
}

constexpr size_t kShownValue = 200, kShownText = 120;

std::string shown(Value value) { return cut_to(one_line(tla::to_text(value)), kShownValue); }

}  // namespace

TlaLogModel::TlaLogModel(std::shared_ptr<tla::Specification> specification,
                         std::unique_ptr<tla::Follower> follower,
                         std::unique_ptr<tla::Mapper> mapper, const ConformOptions& options,
                         uint64_t pool_bytes)
    : specification_(std::move(specification)),
      follower_(std::move(follower)),
      mapper_(std::move(mapper)),
      fields_(*mapper_),
      options_(options),
      pool_bytes_(pool_bytes),
      states_(options.max_frontier) {}

std::string TlaLogModel::name() const { return follower_->specification().name(); }

Result<LogModel::Taken> TlaLogModel::start() {
  const Result<void> begun = follower_->each_initial([&](std::span<const Value> state) {
    states_.add(state);
    return !mutant(LogMutant::kFirstInitial);
  });
  if (!begun) return begun.error();
  if (states_.empty()) return Error{name() + ": there is no initial state"};
  const Json nothing = Json::object();
  fields_.read(nothing);
  for (const tla::MappedAction& action : mapper_->hidden().actions) {
    Result<AskedStep> step = asked(action, Value());
    if (!step) return step.error();
    hidden_.push_back(*std::move(step));
  }
  Taken out;
  out.cut = states_.is_cut();
  return out;
}

// --- Steps ---------------------------------------------------------------------------------------
const tla::FollowedAction* TlaLogModel::action_of(const AskedStep& step, const TlaState& at,
                                                  std::string* why) {
  std::vector<std::string> names = step.names;
  for (const auto& [name, term] : step.open) names.push_back(name);
  const auto [found, is_new] = actions_.try_emplace({step.name, names});
  std::optional<tla::FollowedAction>& action = found->second;
  if (is_new) {
    std::vector<std::pair<std::string, std::vector<Value>>> arguments;
    for (const std::string& name : names) arguments.emplace_back(name, std::vector<Value>());
    Result<tla::FollowedAction> made = follower_->find(step.name, std::move(arguments));
    if (made) {
      action = *std::move(made);
    } else {
      trouble_ = made.error().message;
    }
  }
  if (!action) return nullptr;
  for (size_t i = 0; i < step.values.size(); ++i) action->values[i] = step.values[i];
  for (size_t i = 0; i < step.open.size(); ++i) {
    std::vector<Value>& into = action->values[step.values.size() + i];
    into.clear();
    const Result<void> done = follower_->in(at.values, fields_.heap(), [&](Machine& m) {
      into.push_back(deep_normal(m.heap(), fields_.evaluate(*step.open[i].second, m, step.each)));
    });
    if (done) continue;
    if (why != nullptr) *why = done.error().message;
    return nullptr;  // such arguments have no value here
  }
  return &*action;
}

std::vector<TlaState> TlaLogModel::beginnings(const std::vector<TlaState>& states,
                                              const AskedWay& way) {
  if (way.when == nullptr || mutant(LogMutant::kWhenIgnored)) return states;
  std::vector<TlaState> out;
  for (const TlaState& state : states) {
    bool holds = false;
    const Result<void> done = follower_->in(state.values, checks_, [&](Machine& m) {
      checks_.clear();
      const Value value = fields_.evaluate(*way.when, m);
      if (!value.is_bool()) tla::fail("'when " + way.when->text + "' is neither TRUE nor FALSE");
      holds = value.truth();
    });
    if (!done) trouble_ = done.error().message;
    if (holds) out.push_back(state);
  }
  return out;
}

void TlaLogModel::take_step(const TlaState& from, const AskedStep& step, TlaStates& to) {
  const tla::FollowedAction* const action = action_of(step, from);
  if (action == nullptr) return;
  const Result<void> done = follower_->each(from.values, *action, [&](std::span<const Value> next) {
    to.add(next);
    return !to.is_cut() && !mutant(LogMutant::kFirstSuccessor);
  });
  if (!done) trouble_ = done.error().message;
}

// Adds what up to so many hidden steps lead to.
void TlaLogModel::take_hidden(TlaStates& states) {
  size_t begin = 0;
  const uint32_t most = mutant(LogMutant::kNothingHidden) ? 0
                        : mutant(LogMutant::kOneHidden)   ? 1
                                                          : mapper_->hidden().most;
  for (uint32_t step = 0; step < most; ++step) {
    const size_t end = states.size();
    for (size_t i = begin; i < end; ++i) {
      const TlaState from = states.all()[i];
      for (const AskedStep& hidden : hidden_) take_step(from, hidden, states);
    }
    begin = end;
  }
}

Result<LogModel::Taken> TlaLogModel::take(const Json& event, uint64_t line) {
  line_ = line;
  trouble_.clear();
  Result<Asked> read = this->read(event);
  if (!read) return read.error();
  Taken out;
  if (read->ignored) {
    out.ignored = true;
    return out;
  }
  asked_ = *std::move(read);
  if (!hidden_.empty()) take_hidden(states_);
  TlaStates next(options_.max_frontier);
  out.cut = states_.is_cut();
  for (const AskedWay& way : asked_.ways) {
    std::vector<TlaState> at = beginnings(states_.all(), way);
    for (const AskedStep& step : way.steps) {
      TlaStates reached(options_.max_frontier);
      if (step.maybe && !mutant(LogMutant::kMaybeAlways)) {
        for (const TlaState& state : at) reached.add(state);
      }
      for (const TlaState& state : at) take_step(state, step, reached);
      out.cut = out.cut || reached.is_cut();
      at = std::move(reached.all());
    }
    for (const TlaState& state : at) {
      if (agrees(state, asked_)) next.add(state);
    }
    if (mutant(LogMutant::kFirstWayOnly)) break;
  }
  out.cut = out.cut || next.is_cut();
  out.trouble = trouble_;
  before_ = std::move(states_.all());
  states_ = std::move(next);
  make_room();
  return out;
}

Result<LogModel::Taken> TlaLogModel::take_unread() {
  trouble_.clear();
  Taken out;
  TlaStates next(options_.max_frontier);
  for (const TlaState& state : states_.all()) {
    if (!mutant(LogMutant::kUnreadAlwaysSteps)) next.add(state);
  }
  const tla::FollowedAction any = follower_->any();
  for (const TlaState& state : states_.all()) {
    if (mutant(LogMutant::kUnreadIsNothing)) break;
    const Result<void> done = follower_->each(state.values, any, [&](std::span<const Value> to) {
      next.add(to);
      return !next.is_cut();
    });
    if (!done) trouble_ = done.error().message;
  }
  out.cut = next.is_cut();
  out.trouble = trouble_;
  if (!next.empty()) states_ = std::move(next);
  return out;
}

// --- What is seen --------------------------------------------------------------------------------
std::optional<Difference> TlaLogModel::difference(const TlaState& state, const tla::Seen& seen) {
  const auto is_said = [&](const tla::Term& term) {
    return fields_.has_all(term) || term.text.find("??") != std::string::npos;
  };
  // An event that does not say it does not contradict it.
  const bool says = is_said(seen.right) && (!seen.left || is_said(*seen.left));
  if (!says && mutant(LogMutant::kErasedIsNull)) return Difference{};
  if (!says || mutant(LogMutant::kNothingSeen)) return std::nullopt;
  std::optional<Difference> out;
  const Result<void> done = follower_->in(state.values, checks_, [&](Machine& m) {
    checks_.clear();
    if (!seen.left) {
      const Value value = fields_.evaluate(seen.right, m);
      if (!value.is_bool()) tla::fail("it is neither TRUE nor FALSE");
      if (!value.truth()) out = Difference{one_line(seen.text), "TRUE", "FALSE"};
      return;
    }
    const Value model = fields_.evaluate(*seen.left, m);
    std::vector<Value> said;
    if (seen.right.plain >= 0) {
      said = fields_.forms(static_cast<uint32_t>(seen.right.plain));
    } else {
      said.push_back(fields_.evaluate(seen.right, m));
    }
    if (is_any_of(m, model, said)) return;
    out = Difference{cut_to(one_line(seen.text), kShownText), said.empty() ? "?" : shown(said[0]),
                     shown(model)};
  });
  if (!done) return Difference{one_line(seen.text), "", one_line(done.error().message)};
  return out;
}

bool TlaLogModel::agrees(const TlaState& state, const Asked& asked) {
  for (const tla::Seen* seen : asked.seen) {
    if (difference(state, *seen)) return false;
  }
  if (asked.variables.empty()) return true;
  bool out = true;
  const Result<void> done = follower_->in(state.values, checks_, [&](Machine& m) {
    checks_.clear();
    for (const auto& [variable, said] : asked.variables) {
      out = out && is_any_of(m, state.values[variable], said);
    }
  });
  return done && out;
}

std::vector<Difference> TlaLogModel::differences(const TlaState& state, const Asked& asked) {
  std::vector<Difference> out;
  for (const tla::Seen* seen : asked.seen) {
    if (auto one = difference(state, *seen)) out.push_back(*std::move(one));
  }
  const std::vector<std::string>& names = follower_->specification().variables();
  const Result<void> done = follower_->in(state.values, checks_, [&](Machine& m) {
    checks_.clear();
    for (const auto& [variable, said] : asked.variables) {
      if (is_any_of(m, state.values[variable], said)) continue;
      out.push_back(
          {names[variable], said.empty() ? "?" : shown(said[0]), shown(state.values[variable])});
    }
  });
  (void)done;
  return out;
}

// States of the past are forgotten when they take too much.
void TlaLogModel::make_room() {
  if (follower_->bytes() < pool_bytes_) return;
  if (mutant(LogMutant::kForgottenStates) && states_.size() > 1) states_.all().resize(1);
  std::vector<std::vector<Value>*> kept;
  for (TlaState& state : states_.all()) kept.push_back(&state.values);
  // Without a state there will be an explanation, of the states before.
  for (TlaState& state : before_) {
    if (states_.empty()) kept.push_back(&state.values);
  }
  if (!states_.empty()) before_.clear();
  follower_->keep_only(kept);
  pool_bytes_ = std::max(pool_bytes_, 2 * follower_->bytes());
}

std::vector<std::string> TlaLogModel::notes() const {
  std::vector<std::string> out, names;
  for (const tla::NamedAction& one : follower_->ways().actions()) names.push_back(one.name);
  for (const auto& [name, seen] : unknown_) {
    const auto& [lines, first] = seen;
    if (name.starts_with("state.")) {
      const std::string variable = name.substr(6);
      out.push_back(fmt::format("'{}' in 'state' is no variable of {}{} (line {}, {} in all)",
                                one_line(variable), this->name(),
                                did_you_mean(variable, follower_->specification().variables()),
                                first, counted(lines, "line")));
    } else if (name.empty()) {
      out.push_back(
          fmt::format("{} no action in 'action', 'event' or 'name' (the first is line {})",
                      lines == 1 ? "1 line names" : grouped(lines) + " lines name", first));
    } else {
      out.push_back(fmt::format("'{}' is no action of {}{} (line {}, {} in all)", one_line(name),
                                this->name(), did_you_mean(name, names), first,
                                counted(lines, "line")));
    }
  }
  return out;
}

Result<Conformance> follow_tla_log(std::shared_ptr<tla::Specification> specification,
                                   std::istream& log, const TlaLogOptions& tla,
                                   const ConformOptions& options) {
  auto follower = tla::Follower::make(specification, "");
  if (!follower) return follower.error();
  std::unique_ptr<tla::Mapper> mapper = tla::Mapper::by_names(**follower);
  if (!tla.mapper_path.empty()) {
    auto parsed = tla::Mapper::parse(**follower, tla.mapper, tla.mapper_path);
    if (!parsed) return parsed.error();
    mapper = *std::move(parsed);
  }
  TlaLogModel model(std::move(specification), *std::move(follower), std::move(mapper), options,
                    tla.pool_bytes);
  return walk_log(log, model, options);
}

}  // namespace ordeal::conform
