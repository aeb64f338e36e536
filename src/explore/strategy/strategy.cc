#include "explore/strategy/strategy.h"

#include <algorithm>
#include <atomic>
#include <charconv>

#include "base/text.h"
#include "explore/strategy/abstract_coverage.h"

namespace ordeal::explore {
namespace {

// The one list.
std::vector<Strategy> strategies_of_the_engine() {
  std::vector<Strategy> all = {bfs_strategy(),   dfs_strategy(),    prefix_strategy(),
                               dpor_strategy(),  random_strategy(), pct_strategy(),
                               pctcp_strategy(), pos_strategy(),    delay_strategy()};
  for (Strategy& one : learning_strategies()) all.push_back(std::move(one));
  all.push_back(branching_strategy());
  for (Strategy& one : all) add_measuring(one);
  all.push_back(portfolio_strategy(all));
  return all;
}

struct Registry {
  std::vector<Strategy> all = strategies_of_the_engine();
  std::atomic<bool> was_asked = false;
};

Registry& registry() {
  static Registry one;
  return one;
}

bool is_name(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !text.empty() && text[0] >= 'a' && text[0] <= 'z' &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter(c) || c == '-' || c == '_'; });
}

bool same(const StrategyOption& a, const StrategyOption& b) {
  return a.name == b.name && a.field == b.field && a.kind == b.kind && a.what == b.what &&
         a.fallback == b.fallback && a.least == b.least && a.most == b.most && a.from == b.from &&
         a.to == b.to && a.words == b.words;
}

// What is wrong with the description of an option, as of one strategy among others; "": nothing.
std::string problem_with(const StrategyOption& option, const std::vector<Strategy>& others) {
  const std::string who = "its option \"" + option.name + "\" ";
  if (!is_name(option.name) || !is_name(option.field)) {
    return who + "needs a name and a field, of a to z, 0 to 9, - and _";
  }
  if (option.what.empty() || option.noun.empty()) return who + "does not say what it is";
  if ((option.kind == StrategyOption::Kind::kFlag) != option.value.empty()) {
    return who + "must say what stands for its value in help, unless it is a flag";
  }
  if ((option.kind == StrategyOption::Kind::kWord) != !option.words.empty()) {
    return who + "must list its words, if it is one of words";
  }
  if (!option.fallback.empty()) {
    if (const auto fits = check_value(option, "its default", option.fallback); !fits) {
      return who + "has a default that it refuses: " + fits.error().message;
    }
  }
  for (const Strategy& other : others) {
    for (const StrategyOption& known : other.options) {
      const bool shares = known.name == option.name || known.field == option.field;
      if (shares && !same(known, option)) return who + "is another one in strategy " + other.name;
    }
  }
  return "";
}

std::string problem_with(const Strategy& strategy, const std::vector<Strategy>& others) {
  if (!is_name(strategy.name)) return "its name must be of a to z, 0 to 9, - and _";
  if (strategy.what.empty() || strategy.preserves.empty()) {
    return "it does not say what it is, or what it claims";
  }
  if ((strategy.schedule == nullptr) == (strategy.explore == nullptr)) {
    return "it must either schedule runs or explore by itself";
  }
  if (strategy.needs_space && strategy.samples()) return "a scheduler does not save states";
  std::vector<std::string> taken;
  for (const Strategy& other : others) {
    taken.push_back(other.name);
    for (const StrategyForm& form : other.forms) taken.push_back(form.name);
  }
  std::vector<std::string> own = {strategy.name};
  for (const StrategyForm& form : strategy.forms) own.push_back(form.name);
  for (const std::string& name : own) {
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
      return "the name \"" + name + "\" is taken";
    }
  }
  for (const StrategyOption& option : strategy.options) {
    if (std::string problem = problem_with(option, others); !problem.empty()) return problem;
  }
  return "";
}

// Between the words of kinds of options and their values in C++. REQUIRES: check_value() has seen
// it.
template <class T>
T parsed(const std::string& text) {
  T out{};
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

std::optional<double> real_in(const std::string& text) {
  double out = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (text.empty() || stop != end || error != std::errc()) return std::nullopt;
  return out;
}

std::string real_text(double number) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  return error == std::errc() ? std::string(text, end) : "?";
}

std::string value_of(const StrategyOption& option, const Options& options) {
  return option.get(options).value_or(option.fallback);
}

// Whether Options::strategy_options may have it.
Result<void> check_is_kept_by_name(const std::string& field) {
  std::vector<std::string> fields;
  for (const auto& [option, users] : strategy_options()) {
    if (option.field == field && option.read) {
      return Error{"the option " + field + " has a field of its own: set that instead"};
    }
    if (option.field == field) return {};
    fields.push_back(option.field);
  }
  return Error{"no strategy has an option " + quoted_for_message(field) +
               did_you_mean(field, fields) + "; there are " + ordeal::join(fields, ", ")};
}

}  // namespace

StrategyOption StrategyOption::make(Kind kind, const std::string& name, const std::string& noun,
                                    const std::string& value, const std::string& what,
                                    const std::string& fallback) {
  StrategyOption out;
  out.kind = kind;
  out.name = name;
  out.field = name;
  std::replace(out.field.begin(), out.field.end(), '-', '_');
  out.noun = noun;
  out.value = value;
  out.what = what;
  out.fallback = fallback;
  return out;
}

StrategyOption StrategyOption::number(const std::string& name, const std::string& noun,
                                      const std::string& what, const std::string& fallback,
                                      uint64_t least, uint64_t most) {
  StrategyOption out = make(Kind::kNumber, name, noun, "N", what, fallback);
  out.least = least;
  out.most = most;
  return out;
}

StrategyOption StrategyOption::real(const std::string& name, const std::string& noun,
                                    const std::string& what, const std::string& fallback,
                                    double from, double to) {
  StrategyOption out = make(Kind::kReal, name, noun, "X", what, fallback);
  out.from = from;
  out.to = to;
  return out;
}

std::optional<std::string> StrategyOption::get(const Options& options) const {
  if (read) return read(options);
  const auto at = options.strategy_options.find(field);
  if (at == options.strategy_options.end()) return std::nullopt;
  return at->second;
}

void StrategyOption::set(const std::string& text, Options& options) const {
  if (write) return write(text, options);
  options.strategy_options[field] = text;
}

StrategyOption& StrategyOption::kept_in(uint32_t Options::*place) {
  zero_is_none = true;
  most = std::min<uint64_t>(most, UINT32_MAX);
  read = [place](const Options& options) -> std::optional<std::string> {
    if (options.*place == 0) return std::nullopt;
    return std::to_string(options.*place);
  };
  write = [place](const std::string& text, Options& options) {
    options.*place = parsed<uint32_t>(text);
  };
  return *this;
}

StrategyOption& StrategyOption::kept_in(uint64_t Options::*place) {
  zero_is_none = true;
  read = [place](const Options& options) -> std::optional<std::string> {
    if (options.*place == 0) return std::nullopt;
    return std::to_string(options.*place);
  };
  write = [place](const std::string& text, Options& options) {
    options.*place = parsed<uint64_t>(text);
  };
  return *this;
}

StrategyOption& StrategyOption::kept_in(std::optional<uint32_t> Options::*place) {
  most = std::min<uint64_t>(most, UINT32_MAX);
  read = [place](const Options& options) -> std::optional<std::string> {
    if (!(options.*place)) return std::nullopt;
    return std::to_string(*(options.*place));
  };
  write = [place](const std::string& text, Options& options) {
    options.*place = parsed<uint32_t>(text);
  };
  return *this;
}

StrategyOption& StrategyOption::kept_in(std::string Options::*place) {
  read = [place, usual = fallback](const Options& options) -> std::optional<std::string> {
    if ((options.*place).empty() || options.*place == usual) return std::nullopt;
    return options.*place;
  };
  write = [place](const std::string& text, Options& options) { options.*place = text; };
  return *this;
}

Result<void> check_value(const StrategyOption& option, const std::string& who,
                         const std::string& text) {
  switch (option.kind) {
    case StrategyOption::Kind::kNumber: {
      const Result<uint64_t> number = parse_number(who, text, option.least, option.most);
      if (!number) return number.error();
      return {};
    }
    case StrategyOption::Kind::kReal: {
      const std::optional<double> number = real_in(text);
      if (number && *number >= option.from && *number <= option.to) return {};
      return Error{who + " " + one_line(text) + ": " +
                   (number ? "out of range" : "that is no number") + "; give a number from " +
                   real_text(option.from) + " to " + real_text(option.to)};
    }
    case StrategyOption::Kind::kWord:
      if (std::find(option.words.begin(), option.words.end(), text) != option.words.end()) {
        return {};
      }
      return Error{"unknown " + option.name + " " + quoted_for_message(text) + "; there are " +
                   enumeration(option.words)};
    case StrategyOption::Kind::kFlag:
      if (text == "yes" || text == "no") return {};
      return Error{who + " " + one_line(text) + ": that is neither yes nor no"};
    case StrategyOption::Kind::kText:
    case StrategyOption::Kind::kFile:
      if (!text.empty()) return {};
      return Error{who + ": nothing is given; it takes " + option.noun};
  }
  return {};
}

uint64_t number_of(const StrategyOption& option, const Options& options) {
  return parsed<uint64_t>(value_of(option, options));
}

double real_of(const StrategyOption& option, const Options& options) {
  return real_in(value_of(option, options)).value_or(0);
}

std::string text_of(const StrategyOption& option, const Options& options) {
  return value_of(option, options);
}

World& Ground::world() {
  if (world_ == nullptr) world_ = subject_.world();
  return *world_;
}

SpaceStatistics Ground::statistics() const {
  if (world_ != nullptr) return world_->statistics();
  return space_ != nullptr ? space_->statistics() : SpaceStatistics();
}

std::vector<StepSort> Ground::sorts() const {
  if (world_ != nullptr) return world_->sorts();
  return space_ != nullptr ? space_->sorts() : std::vector<StepSort>();
}

Strategy sampler(std::string name, std::string what) {
  Strategy strategy;
  strategy.name = std::move(name);
  strategy.what = std::move(what);
  strategy.preserves = "nothing: it finds, it never proves";
  strategy.kept = claims_of_all(Kept::kFinds);
  strategy.needs_seed = true;
  strategy.runs_by_number = true;
  return strategy;
}

const std::vector<Strategy>& all_strategies() {
  registry().was_asked = true;
  return registry().all;
}

const Strategy* find_strategy(const std::string& name) {
  for (const Strategy& strategy : all_strategies()) {
    if (strategy.name == name) return &strategy;
  }
  return nullptr;
}

const char* default_strategy(bool has_space) { return has_space ? "bfs" : "random"; }

Result<void> register_strategy(Strategy strategy) {
  const std::string who = "strategy " + quoted_for_message(strategy.name) + ": ";
  if (registry().was_asked) {
    return Error{who + "it comes too late: strategies were asked for already"};
  }
  add_measuring(strategy);
  const std::string problem = problem_with(strategy, registry().all);
  if (!problem.empty()) return Error{who + problem};
  registry().all.push_back(std::move(strategy));
  return {};
}

std::vector<std::string> strategies_where(const std::function<bool(const Strategy&)>& which) {
  std::vector<std::string> names;
  for (const Strategy& strategy : all_strategies()) {
    if (which(strategy)) names.push_back(strategy.name);
  }
  return names;
}

bool KnownOption::is_for(const std::string& strategy) const {
  return std::find(users.begin(), users.end(), strategy) != users.end();
}

const std::vector<KnownOption>& strategy_options() {
  static const std::vector<KnownOption> all =
      strategy_options_where([](const Strategy&) { return true; });
  return all;
}

std::vector<KnownOption> strategy_options_where(const std::function<bool(const Strategy&)>& which) {
  std::vector<KnownOption> out;
  for (const Strategy& strategy : all_strategies()) {
    if (!which(strategy)) continue;
    for (const StrategyOption& option : strategy.options) {
      const auto known = std::find_if(out.begin(), out.end(), [&](const KnownOption& one) {
        return one.option.name == option.name;
      });
      if (known == out.end()) {
        out.push_back({option, {strategy.name}});
      } else {
        known->users.push_back(strategy.name);
      }
    }
  }
  return out;
}

bool is_compared_by(const StrategyOption& option) {
  for (const Strategy& strategy : all_strategies()) {
    for (const StrategyForm& form : strategy.forms) {
      if (form.settings.contains(option.field)) return false;
    }
  }
  return true;
}

Result<void> check_values(const Options& options) {
  for (const auto& [option, users] : strategy_options()) {
    const std::optional<std::string> given = option.get(options);
    if (!given) continue;
    if (auto valid = check_value(option, option.field, *given); !valid) return valid;
  }
  for (const auto& [field, value] : options.strategy_options) {
    if (auto valid = check_is_kept_by_name(field); !valid) return valid;
  }
  return {};
}

Result<void> check_strategy_options(const Options& options) {
  if (auto valid = check_values(options); !valid) return valid;
  for (const KnownOption& known : strategy_options()) {
    if (!known.option.get(options) || known.is_for(options.strategy)) continue;
    return Error{known.option.noun + " is for " +
                 (known.users.size() == 1 ? "strategy " : "strategies ") +
                 enumeration(known.users) + ", not for " + options.strategy};
  }
  const Strategy* strategy = find_strategy(options.strategy);
  return strategy->accepts ? strategy->accepts(options) : Result<void>();
}

Result<std::unique_ptr<Scheduler>> make_scheduler(const Options& options, World& world) {
  const Strategy* strategy = find_strategy(options.strategy);
  if (strategy != nullptr && strategy->samples()) return strategy->schedule(options, world);
  return Error{
      "strategy " + options.strategy + " does not pick runs step by step; those that do: " +
      ordeal::join(strategies_where([](const Strategy& one) { return one.samples(); }), ", ")};
}

}  // namespace ordeal::explore

namespace ordeal {

const std::vector<StrategyInfo>& strategies() {
  static const std::vector<StrategyInfo> all = [] {
    std::vector<StrategyInfo> out;
    for (const explore::Strategy& one : explore::all_strategies()) {
      out.push_back({one.name, one.what, one.needs_space, one.preserves});
    }
    return out;
  }();
  return all;
}

}  // namespace ordeal
