// The one source that knows toml++.
#include "experiment/experiment_file.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "explore/strategy/strategy.h"

namespace ordeal::experiment {
namespace {

constexpr uint64_t kMostBytes = 1 << 20;
constexpr uint64_t kMostTrials = 10'000;

Place place_of(const toml::source_region& region) {
  return {static_cast<uint32_t>(region.begin.line), static_cast<uint32_t>(region.begin.column)};
}

// What a value is, for people.
std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

class Reader {
 public:
  explicit Reader(ExperimentFile& file) : file_(file) {
    for (const explore::KnownOption& known : explore::strategy_options()) options_.push_back(known);
  }

  Result<void> read(const toml::table& root) {
    for (const auto& [key, value] : root) {
      if (auto done = read_root(key, value); !done) return done;
    }
    if (file_.name.empty()) return missing("name", "name = \"coverage\"");
    if (!has_budget_) return missing("budget", "budget = { episodes = 1000 }");
    if (file_.subjects.empty()) return missing("[[subject]]", "[[subject]] with name = \"raft\"");
    if (file_.strategies.empty()) {
      return missing("[[strategy]]", "[[strategy]] with name = \"random\"");
    }
    if (file_.seed > UINT64_MAX - file_.trials) {
      return Error{file_.path + ": there are not so many seeds from " + std::to_string(file_.seed) +
                   " on"};
    }
    if (auto apart = check_labels(); !apart) return apart;
    return check_use();
  }

 private:
  Error at(Place place, const std::string& message) const { return file_.error(place, message); }

  Error unknown(const toml::key& key, const std::vector<std::string>& known) const {
    const Place place = place_of(key.source());
    const std::string word(key.str());
    return Error{fmt::format("unknown key '{}' in {}:{}:{}{}", one_line(word), file_.path,
                             place.line, place.column, did_you_mean(word, known))};
  }

  Result<void> missing(const std::string& what, const std::string& example) const {
    return Error{fmt::format("{}: {} is missing; give {}", file_.path, what, example)};
  }

  Error wrong(const toml::key& key, const toml::node& node, const std::string& right) const {
    return at(place_of(key.source()),
              fmt::format("{} is {}, and should be {}", one_line(key.str()), kind_of(node), right));
  }

  Result<std::string> text_in(const toml::key& key, const toml::node& node) const {
    const auto text = node.value_exact<std::string>();
    if (!text) return wrong(key, node, "a text in quotes");
    if (text->empty()) return at(place_of(key.source()), one_line(key.str()) + " is empty");
    return *text;
  }

  Result<uint64_t> number_in(const toml::key& key, const toml::node& node, uint64_t least,
                             uint64_t most) const {
    const auto number = node.value_exact<int64_t>();
    if (!number) return wrong(key, node, "a whole number");
    if (*number < 0 || static_cast<uint64_t>(*number) < least ||
        static_cast<uint64_t>(*number) > most) {
      return at(place_of(key.source()), fmt::format("{} = {} is not from {} to {}", key.str(),
                                                    *number, grouped(least), grouped(most)));
    }
    return static_cast<uint64_t>(*number);
  }

  // A value of an option or a parameter, as it would stand on a command line.
  Result<Setting> setting_in(const toml::key& key, const toml::node& node) const {
    Setting out{"", place_of(key.source())};
    if (const auto text = node.value_exact<std::string>()) {
      out.value = *text;
    } else if (const auto number = node.value_exact<int64_t>()) {
      out.value = std::to_string(*number);
    } else if (const auto real = node.value_exact<double>()) {
      out.value = fmt::format("{}", *real);
    } else if (const auto flag = node.value_exact<bool>()) {
      out.value = *flag ? "yes" : "no";
    } else if (const toml::array* list = node.as_array()) {
      std::vector<std::string> parts;
      for (const toml::node& part : *list) {
        const auto text_part = part.value_exact<std::string>();
        if (!text_part) return wrong(key, part, "a text: it is in a list of them");
        parts.push_back(*text_part);
      }
      out.value = join(parts, ", ");
    } else {
      return wrong(key, node, "a text or a number");
    }
    return out;
  }

  // By its field or by its name on the command line; null: there is none.
  const explore::KnownOption* find_option(const std::string& key) const {
    const auto found = std::find_if(options_.begin(), options_.end(), [&](const auto& one) {
      return one.option.field == key || one.option.name == key;
    });
    return found == options_.end() ? nullptr : &*found;
  }

  std::vector<std::string> with_options(std::vector<std::string> keys,
                                        const std::string& strategy = "") const {
    for (const explore::KnownOption& known : options_) {
      if (strategy.empty() || known.is_for(strategy)) keys.push_back(known.option.field);
    }
    keys.emplace_back(kDepthField);
    return keys;
  }

  // `strategy`: whose options it may be; "": of any.
  Result<void> read_option(const toml::key& key, const toml::node& node,
                           const std::vector<std::string>& own_keys, const std::string& strategy,
                           Settings& into) const {
    const std::string name(key.str());
    const Place place = place_of(key.source());
    if (name == kDepthField || name == "max-depth") {
      const Result<uint64_t> depth = number_in(key, node, 1, UINT32_MAX);
      if (!depth) return depth.error();
      into[kDepthField] = {std::to_string(*depth), place};
      return {};
    }
    const explore::KnownOption* known = find_option(name);
    if (known == nullptr) return unknown(key, with_options(own_keys, strategy));
    const std::string& field = known->option.field;
    if (field == "episodes") {
      return at(place, "episodes are the budget: budget = { episodes = 1000 }");
    }
    if (known->option.kind == explore::StrategyOption::Kind::kFile) {
      return at(place,
                name + " names a file that trials would share: an experiment has no use for it");
    }
    if (!strategy.empty() && !known->is_for(strategy)) {
      return at(place, fmt::format("{} is for {} {}, not for {}", known->option.noun,
                                   known->users.size() == 1 ? "strategy" : "strategies",
                                   enumeration(known->users), strategy));
    }
    Result<Setting> setting = setting_in(key, node);
    if (!setting) return setting.error();
    if (auto valid = explore::check_value(known->option, name, setting->value); !valid) {
      std::string near;
      if (known->option.kind == explore::StrategyOption::Kind::kWord) {
        near = did_you_mean(setting->value, known->option.words);
      }
      return at(place, valid.error().message + near);
    }
    if (!into.emplace(field, *std::move(setting)).second) {
      return at(place, fmt::format("{} is given twice, once as {}", field, known->option.name));
    }
    return {};
  }

  Result<void> read_root(const toml::key& key, const toml::node& node) {
    const std::string name(key.str());
    if (name == "name" || name == "what" || name == "baseline") {
      Result<std::string> text = text_in(key, node);
      if (!text) return text.error();
      if (name == "name") {
        file_.name = *std::move(text);
      } else if (name == "what") {
        file_.what = *std::move(text);
      } else {
        file_.baseline = *std::move(text);
        baseline_at_ = place_of(key.source());
      }
      return {};
    }
    if (name == "trials" || name == "seed") {
      const bool is_seed = name == "seed";
      const auto number =
          number_in(key, node, is_seed ? 0 : 1, is_seed ? uint64_t{INT64_MAX} : kMostTrials);
      if (!number) return number.error();
      (is_seed ? file_.seed : file_.trials) = *number;
      return {};
    }
    if (name == "budget") return read_budget(key, node);
    if (name == "measures") return read_measures(key, node);
    if (name == "subject" || name == "strategy") {
      const toml::array* list = node.as_array();
      if (list == nullptr || !list->is_array_of_tables()) {
        return wrong(key, node, fmt::format("tables, each under [[{}]]", name));
      }
      for (const toml::node& one : *list) {
        auto done =
            name == "subject" ? read_subject(*one.as_table()) : read_strategy(*one.as_table());
        if (!done) return done;
      }
      return {};
    }
    return read_option(
        key, node,
        {"name", "what", "trials", "seed", "budget", "measures", "baseline", "subject", "strategy"},
        "", file_.options);
  }

  Result<void> read_budget(const toml::key& key, const toml::node& node) {
    const toml::table* table = node.as_table();
    const char* form = "one of { episodes = N }, { steps = N }, { states = N }, { seconds = S }";
    if (table == nullptr) return wrong(key, node, form);
    const std::vector<std::string> known = {"episodes", "steps", "states", "seconds"};
    for (const auto& [what, value] : *table) {
      const std::string name(what.str());
      const auto found = std::find(known.begin(), known.end(), name);
      if (found == known.end()) return unknown(what, known);
      if (has_budget_) {
        return at(place_of(what.source()),
                  fmt::format("the budgets contradict each other: {} and {}; give {}",
                              to_string(file_.budget), name, form));
      }
      has_budget_ = true;
      file_.budget.kind = static_cast<Budget::Kind>(found - known.begin());
      if (file_.budget.kind == Budget::Kind::kSeconds) {
        const auto seconds = value.value<double>();
        if (!value.is_number() || !(*seconds > 0 && *seconds <= 1e9)) {
          return at(place_of(what.source()), "seconds must be a number above 0");
        }
        file_.budget.seconds = *seconds;
        continue;
      }
      const auto count = number_in(what, value, 1, 1'000'000'000);
      if (!count) return count.error();
      file_.budget.count = *count;
    }
    if (!has_budget_)
      return at(place_of(key.source()), std::string("budget is empty; give ") + form);
    return {};
  }

  Result<void> read_measures(const toml::key& key, const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) return wrong(key, node, "a list of measures");
    std::vector<std::string> names;
    for (const Measure measure : kMeasures) names.emplace_back(to_string(measure));
    for (const toml::node& one : *list) {
      const auto text = one.value_exact<std::string>();
      if (!text) return wrong(key, one, "a list of texts");
      const auto found = std::find(names.begin(), names.end(), *text);
      if (found == names.end()) {
        return at(place_of(one.source()),
                  fmt::format("there is no measure '{}'{}; there are {}", one_line(*text),
                              did_you_mean(*text, names), join(names, ", ")));
      }
      const Measure measure = kMeasures[found - names.begin()];
      if (std::count(file_.measures.begin(), file_.measures.end(), measure) > 0) {
        return at(place_of(one.source()), *text + " is named twice");
      }
      file_.measures.push_back(measure);
    }
    return {};
  }

  Result<void> read_subject(const toml::table& table) {
    FileSubject subject;
    subject.place = place_of(table.source());
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      if (name == "name" || name == "label") {
        Result<std::string> text = text_in(key, value);
        if (!text) return text.error();
        (name == "name" ? subject.name : subject.label) = *std::move(text);
        if (name == "name") subject.place = place_of(key.source());
      } else if (name == "bug" || name == "map") {
        Result<std::string> text = text_in(key, value);
        if (!text) return text.error();
        (name == "bug" ? subject.bug : subject.map) =
            Setting{*std::move(text), place_of(key.source())};
      } else if (name == "parameters") {
        const toml::table* parameters = value.as_table();
        if (parameters == nullptr) return wrong(key, value, "a table: { nodes = 3 }");
        for (const auto& [parameter, given] : *parameters) {
          Result<Setting> setting = setting_in(parameter, given);
          if (!setting) return setting.error();
          subject.parameters[std::string(parameter.str())] = *std::move(setting);
        }
      } else if (auto done = read_option(key, value, {"name", "label", "bug", "map", "parameters"},
                                         "", subject.options);
                 !done) {
        return done;
      }
    }
    if (subject.name.empty()) return at(subject.place, "this subject has no name");
    if (subject.label.empty()) {
      subject.label = subject.name + (subject.bug ? " " + subject.bug->value : "");
    }
    file_.subjects.push_back(std::move(subject));
    return {};
  }

  Result<void> read_strategy(const toml::table& table) {
    FileStrategy strategy;
    strategy.place = place_of(table.source());
    for (const auto& [key, value] : table) {  // which options there are depends on the name
      const std::string name(key.str());
      if (name != "name" && name != "label") continue;
      Result<std::string> text = text_in(key, value);
      if (!text) return text.error();
      (name == "name" ? strategy.name : strategy.label) = *std::move(text);
      if (name == "name") strategy.place = place_of(key.source());
    }
    if (strategy.name.empty()) return at(strategy.place, "this strategy has no name");
    if (explore::find_strategy(strategy.name) == nullptr) {
      const auto names = explore::strategies_where([](const explore::Strategy&) { return true; });
      return at(strategy.place,
                fmt::format("there is no strategy '{}'{}; there are {}", one_line(strategy.name),
                            did_you_mean(strategy.name, names), join(names, ", ")));
    }
    if (strategy.label.empty()) strategy.label = strategy.name;
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      if (name == "name" || name == "label") continue;
      auto done = read_option(key, value, {"name", "label"}, strategy.name, strategy.options);
      if (!done) return done;
    }
    file_.strategies.push_back(std::move(strategy));
    return {};
  }

  // Whoever reads a table has only the labels.
  Result<void> check_labels() const {
    std::set<std::string> taken;
    for (const FileSubject& one : file_.subjects) {
      if (taken.insert(one.label).second) continue;
      return at(one.place, fmt::format("there is a subject '{}' already; give this one a label",
                                       one_line(one.label)));
    }
    taken.clear();
    std::vector<std::string> labels;
    for (const FileStrategy& one : file_.strategies) {
      labels.push_back(one.label);
      if (taken.insert(one.label).second) continue;
      return at(one.place, fmt::format("there is a strategy '{}' already; give this one a label",
                                       one_line(one.label)));
    }
    if (!file_.baseline || taken.contains(*file_.baseline)) return {};
    return at(baseline_at_,
              fmt::format("baseline: there is no strategy with the label '{}'{}",
                          one_line(*file_.baseline), did_you_mean(*file_.baseline, labels)));
  }

  // What is said for all strategies must be of use to one.
  Result<void> check_use() const {
    const auto check = [&](const Settings& settings) -> Result<void> {
      for (const auto& [field, setting] : settings) {
        const explore::KnownOption* known = find_option(field);
        if (known == nullptr) continue;
        const bool used =
            std::any_of(file_.strategies.begin(), file_.strategies.end(),
                        [&](const FileStrategy& one) { return known->is_for(one.name); });
        if (!used) {
          return at(setting.place, fmt::format("{} is for {}, none of which is here", field,
                                               enumeration(known->users)));
        }
      }
      return {};
    };
    if (auto used = check(file_.options); !used) return used;
    for (const FileSubject& subject : file_.subjects) {
      if (auto used = check(subject.options); !used) return used;
    }
    return {};
  }

  ExperimentFile& file_;
  std::vector<explore::KnownOption> options_;
  bool has_budget_ = false;
  Place baseline_at_;
};

}  // namespace

Error ExperimentFile::error(Place place, const std::string& message) const {
  return Error{fmt::format("{}:{}:{}: {}", path, place.line, place.column, message)};
}

Result<ExperimentFile> parse_experiment(const std::string& text, const std::string& path) {
  ExperimentFile file;
  file.path = path;
  file.text = text;
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return file.error(place_of(parsed.error().source()),
                      one_line(std::string(parsed.error().description())));
  }
  if (auto read = Reader(file).read(parsed.table()); !read) return read.error();
  return file;
}

Result<ExperimentFile> read_experiment(const std::string& path) {
  const Result<std::string> text = read_file(path, kMostBytes);
  if (!text) return text.error();
  return parse_experiment(*text, path);
}

}  // namespace ordeal::experiment
