#include "conform/system_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/text.h"
#include "conform/json_match.h"
#include "conform/log_walk.h"
#include "conform/mutant.h"
#include "trace/tree_json.h"

namespace ordeal::conform {
namespace {

constexpr size_t kMostLookedAt = 20;  // states, for an explanation
constexpr size_t kMostNames = 100;    // of things that the log has and nobody knows

struct SystemState {
  std::vector<uint32_t> words;  // none: a handler has failed, and that was the end
  uint64_t fingerprint = 0;
  bool is_over() const { return words.empty(); }
};

class SystemStates {
 public:
  explicit SystemStates(uint64_t most) : most_(most) {}
  void add(std::vector<uint32_t> words, uint64_t fingerprint) {
    if (known_.contains(fingerprint)) return;
    if (all.size() >= most_) {
      is_cut = true;
      return;
    }
    known_.insert(fingerprint);
    all.push_back({std::move(words), fingerprint});
  }
  std::vector<SystemState> all;  // in the order in which they were found
  bool is_cut = false;

 private:
  uint64_t most_;
  std::unordered_set<uint64_t> known_;
};

// A line, as far as it says what step it is.
struct LoggedStep {
  std::string kind;  // "": any
  int node = -1, from = -1;
  std::string type;
  const Json* payload = nullptr;
  const Json* choices = nullptr;
  const Json* state = nullptr;
  std::optional<bool> up;
  bool failed = false;

  std::string text() const {
    std::string out = kind.empty() ? "any step" : kind;
    if (!type.empty()) out += " " + type;
    if (payload != nullptr) out += " " + cut_to(payload->dump(), 120);
    if (from >= 0) return out + fmt::format(" {}→{}", from, node);
    return node >= 0 ? out + fmt::format(" at {}", node) : out;
  }
};

class SystemLogModel final : public LogModel {
 public:
  SystemLogModel(std::shared_ptr<StateSpace> space, const SystemLogOptions& system,
                 const ConformOptions& options)
      : space_(std::move(space)),
        explorer_(space_->explorer()),
        system_(system),
        options_(options),
        states_(options.max_frontier),
        space_bytes_(system.space_bytes) {
    kinds_ = kind_names();
    for (const KindRef& kind : space_->kinds()) kinds_.push_back(kind->name);
  }

  std::string name() const override { return system_.name; }
  size_t frontier() const override { return states_.all.size(); }

  Result<Taken> start() override {
    Result<std::vector<StateSpace::Initial>> initial = space_->initial();
    if (!initial) return initial.error();
    for (StateSpace::Initial& one : *initial) states_.add(std::move(one.state), one.fingerprint);
    Taken out;
    out.cut = states_.is_cut;
    return out;
  }

  Result<Taken> take(const Json& event, uint64_t line) override {
    line_ = line;
    Taken out;
    Result<std::optional<LoggedStep>> step = read(event);
    if (!step) return step.error();
    if (!*step) {
      out.ignored = true;
      return out;
    }
    step_ = **step;
    take_hidden();
    SystemStates next(options_.max_frontier);
    for (const SystemState& state : states_.all) take_step(state, next);
    out.cut = states_.is_cut || next.is_cut;
    before_ = std::move(states_.all);
    states_ = std::move(next);
    if (!states_.all.empty()) {
      before_.clear();
      make_room();
    }
    return out;
  }

  Result<Taken> take_unread() override {
    SystemStates next(options_.max_frontier);
    for (const SystemState& state : states_.all) next.add(state.words, state.fingerprint);
    for (const SystemState& state : states_.all) each_choice(state, nullptr, next);
    Taken out;
    out.cut = next.is_cut;
    states_ = std::move(next);
    return out;
  }

  void explain(Departure& out, size_t most) override;

  std::vector<std::string> notes() const override {
    std::vector<std::string> out;
    for (const auto& [kind, seen] : unknown_) {
      out.push_back(fmt::format("'{}' is no kind of step{} (line {}, {} in all)", one_line(kind),
                                did_you_mean(kind, kinds_), seen.second,
                                counted(seen.first, "line")));
    }
    return out;
  }

 private:
  // Nothing: the line is about no step.
  Result<std::optional<LoggedStep>> read(const Json& event) {
    LoggedStep out;
    const auto find = [&](const char* name) -> const Json* {
      const auto at = event.find(name);
      return at == event.end() || at->is_null() ? nullptr : &*at;
    };
    std::string wrong;
    const auto text = [&](const char* name, std::string& into) {
      const Json* const json = find(name);
      if (json == nullptr) return;
      if (json->is_string()) {
        into = json->get<std::string>();
      } else {
        wrong = fmt::format("'{}' is {}; a text is expected", name, cut_to(json->dump(), 60));
      }
    };
    const auto number = [&](const char* name, int& into) {
      const Json* const json = find(name);
      if (json == nullptr) return;
      constexpr int64_t kMost = INT32_MAX;
      if (json->is_number_integer() && json->get<int64_t>() >= 0 && json->get<int64_t>() <= kMost) {
        into = json->get<int>();
      } else {
        wrong = fmt::format("'{}' is {}; the number of a node is expected", name,
                            cut_to(json->dump(), 60));
      }
    };
    const auto object = [&](const char* name, const Json*& into) { into = find(name); };
    text("kind", out.kind);
    text("type", out.type);
    number("node", out.node);
    number("from", out.from);
    object("payload", out.payload);
    object("choices", out.choices);
    object("state", out.state);
    if (const Json* up = find("up"); up != nullptr && up->is_boolean()) out.up = up->get<bool>();
    out.failed = find("failure") != nullptr;
    if (!wrong.empty()) return Error{wrong};
    const bool is_known = std::find(kinds_.begin(), kinds_.end(), out.kind) != kinds_.end();
    const bool says_nothing = out.kind.empty() && out.type.empty() && out.node < 0;
    if (says_nothing || (!out.kind.empty() && !is_known)) {
      if (unknown_.size() < kMostNames || unknown_.contains(out.kind)) {
        auto& [lines, first] = unknown_[out.kind];
        if (lines++ == 0) first = line_;
      }
      return std::optional<LoggedStep>();
    }
    return std::optional<LoggedStep>(std::move(out));
  }

  bool is_meant(const Action& action) const {
    if (!step_.kind.empty() && kind_name(action) != step_.kind &&
        !mutant(LogMutant::kKindIgnored)) {
      return false;
    }
    if (step_.node >= 0 && action.node != step_.node) return false;
    if (step_.from >= 0 && action.from != step_.from && !mutant(LogMutant::kSenderIgnored)) {
      return false;
    }
    if (!step_.type.empty() && action.type != step_.type) return false;
    if (step_.choices != nullptr && *step_.choices != Json(action.choices)) return false;
    return step_.payload == nullptr || mutant(LogMutant::kPayloadIgnored) ||
           agrees(*step_.payload, trace::tree_to_json(action.payload));
  }

  // What the log says of the node behind the step, and the state does not.
  void compare_state(StateRef state, std::vector<Difference>& out) {
    if (mutant(LogMutant::kStateIgnored)) return;
    if (step_.node < 0 || (step_.state == nullptr && !step_.up)) return;
    for (const Snapshot::Part& part : explorer_->observe(state).parts) {
      if (part.node != step_.node) continue;
      if (step_.up && *step_.up != part.up) {
        out.push_back({"up", *step_.up ? "true" : "false", part.up ? "true" : "false"});
      }
      if (step_.state == nullptr) return;
      Json tree = trace::tree_to_json(part.tree);
      if (tree.is_object()) tree.erase("(up)");
      find_differences(*step_.state, tree, "state", out);
      return;
    }
  }

  // `only`: kinds; null: all of them.
  void each_choice(const SystemState& state, const std::vector<ActionKind>* only,
                   SystemStates& to) {
    if (state.is_over()) return;
    std::vector<Choice> choices;
    explorer_->enumerate(state.words, choices);
    for (const Choice& choice : choices) {
      const bool is_one =
          only == nullptr || std::find(only->begin(), only->end(), choice.kind) != only->end();
      if (!is_one || choice.fails) continue;
      std::vector<uint32_t> words;
      const uint64_t fingerprint = explorer_->apply(state.words, state.fingerprint, choice, words);
      to.add(std::move(words), fingerprint);
    }
  }

  void take_hidden() {
    if (system_.hidden.empty()) return;
    size_t begin = 0;
    for (uint32_t i = 0; i < system_.most_hidden; ++i) {
      const size_t end = states_.all.size();
      for (size_t at = begin; at < end; ++at) {
        const SystemState from = states_.all[at];
        each_choice(from, &system_.hidden, states_);
      }
      begin = end;
    }
  }

  void take_step(const SystemState& from, SystemStates& to) {
    if (from.is_over()) return;
    std::vector<Choice> choices;
    explorer_->enumerate(from.words, choices);
    const ActionKind kind = kind_named(step_.kind);
    for (const Choice& choice : choices) {
      if (!step_.kind.empty() && choice.kind != kind && !mutant(LogMutant::kKindIgnored)) {
        continue;
      }
      const Offer offer = explorer_->offer(from.words, choice);
      if (step_.node >= 0 && offer.node.value >= 0 && offer.node.value != step_.node) continue;
      if (!is_meant(explorer_->action(from.words, choice))) continue;
      if (choice.fails != step_.failed && !mutant(LogMutant::kFailuresPass)) continue;
      if (choice.fails) {
        to.add({}, from.fingerprint + 1);  // nothing comes after it
        continue;
      }
      std::vector<uint32_t> words;
      const uint64_t fingerprint = explorer_->apply(from.words, from.fingerprint, choice, words);
      std::vector<Difference> differs;
      compare_state(words, differs);
      if (differs.empty()) to.add(std::move(words), fingerprint);
    }
  }

  // What the log has come through is forgotten when it takes too much.
  void make_room() {
    if (space_->statistics().bytes + explorer_->bytes() < space_bytes_ || !space_->can_travel()) {
      return;
    }
    SystemStates again(options_.max_frontier);
    std::vector<std::string> kept;
    for (SystemState& state : states_.all) {
      if (state.is_over()) {
        again.add({}, state.fingerprint);
      } else {
        space_->encode(state.words, kept.emplace_back());
      }
    }
    explorer_.reset();
    space_->forget();
    explorer_ = space_->explorer();
    for (const std::string& bytes : kept) {
      std::vector<uint32_t> words;
      const Result<uint64_t> fingerprint = space_->decode(bytes, words);
      if (fingerprint) again.add(std::move(words), *fingerprint);
    }
    again.is_cut = states_.is_cut;
    states_ = std::move(again);
    space_bytes_ = std::max(space_bytes_, 2 * (space_->statistics().bytes + explorer_->bytes()));
  }

  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<Explorer> explorer_;
  const SystemLogOptions& system_;
  const ConformOptions& options_;
  SystemStates states_;
  std::vector<SystemState> before_;
  LoggedStep step_;
  std::vector<std::string> kinds_;
  std::map<std::string, std::pair<uint64_t, uint64_t>> unknown_;  // lines, and the first of them
  uint64_t line_ = 0, space_bytes_;
};

void SystemLogModel::explain(Departure& out, size_t most) {
  out.states = before_.size();
  out.stands_for.push_back(step_.text());
  std::vector<std::pair<size_t, Near>> found;
  for (size_t i = 0; i < before_.size() && i < kMostLookedAt; ++i) {
    const SystemState& from = before_[i];
    if (from.is_over()) continue;
    std::vector<Choice> choices;
    explorer_->enumerate(from.words, choices);
    for (const Choice& choice : choices) {
      const Action action = explorer_->action(from.words, choice);
      Near near{show(action), {}, {}};
      const auto differ = [&](const char* what, const std::string& log, const std::string& model) {
        near.differs.push_back({what, log, model});
      };
      if (!step_.kind.empty() && kind_name(action) != step_.kind) {
        differ("kind", step_.kind, kind_name(action));
      }
      if (step_.node >= 0 && action.node != step_.node) {
        differ("node", std::to_string(step_.node), std::to_string(action.node));
      }
      if (step_.from >= 0 && action.from != step_.from) {
        differ("from", std::to_string(step_.from), std::to_string(action.from));
      }
      if (!step_.type.empty() && action.type != step_.type) {
        differ("type", step_.type, action.type.empty() ? "none" : action.type);
      } else if (step_.payload != nullptr) {
        find_differences(*step_.payload, trace::tree_to_json(action.payload), "payload",
                         near.differs);
      }
      if (step_.choices != nullptr && *step_.choices != Json(action.choices)) {
        differ("choices", step_.choices->dump(), Json(action.choices).dump());
      }
      const size_t other_step = 2 * near.differs.size();
      if (choice.fails != step_.failed) {
        differ("failure", step_.failed ? "the handler fails" : "none",
               choice.fails ? "the handler fails" : "none");
      } else if (!choice.fails && action.node == step_.node &&
                 (step_.kind.empty() || kind_name(action) == step_.kind)) {
        std::vector<uint32_t> words;
        explorer_->apply(from.words, from.fingerprint, choice, words);
        compare_state(words, near.differs);
      }
      const size_t distance = near.differs.size() + other_step;
      found.emplace_back(distance, std::move(near));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& entry : found) {
    Near& near = entry.second;
    if (out.nearest.size() == most) break;
    const bool is_known = std::any_of(out.nearest.begin(), out.nearest.end(), [&](const Near& one) {
      return one.step == near.step && one.differs.size() == near.differs.size();
    });
    if (!is_known) out.nearest.push_back(std::move(near));
  }
}

}  // namespace

Result<Conformance> follow_system_log(const Checkable& subject, std::istream& log,
                                      const SystemLogOptions& system,
                                      const ConformOptions& options) {
  std::unique_ptr<Checkable> freed;
  const Checkable* followed = &subject;
  if (!system.as_declared && !subject.cast().is_model) {
    Result<std::unique_ptr<Checkable>> made = subject.with_free_faults();
    if (!made) return made.error();
    freed = *std::move(made);
    followed = freed.get();
  }
  if (Result<void> valid = followed->validate(); !valid) return valid.error();
  std::shared_ptr<StateSpace> space = followed->space();
  if (space == nullptr) {
    return Error{
        "its states cannot be saved (nodes that are objects of any class), and a log may mean "
        "several of them"};
  }
  SystemLogModel model(std::move(space), system, options);
  return walk_log(log, model, options);
}

}  // namespace ordeal::conform
