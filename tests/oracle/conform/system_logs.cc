// Logs of random systems, against all runs of the same system from its start.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/rng.h"
#include "conform/system_log.h"
#include "explore/explain/walk.h"
#include "tests/oracle/conform/problems.h"
#include "tests/oracle/random/generator.h"
#include "trace/event_log.h"
#include "trace/tree_json.h"

namespace ordeal::oracle {
namespace {

using LogObject = nlohmann::ordered_json;

constexpr size_t kMostRuns = 20'000;  // of one log; more are too many to go through

// Of a run of some steps, as the system would log it.
std::vector<LogObject> logged_run(const Checkable& system, Rng& rng) {
  Options options;
  options.states = true;
  explore::Walk walk(system, options);
  std::vector<LogObject> out;
  if (!walk.go({})) return out;
  const size_t steps = 1 + rng.below(7);
  while (walk.trace().steps.size() < steps && !walk.enabled().empty()) {
    if (!walk.take(static_cast<uint32_t>(rng.below(walk.enabled().size())))) break;
  }
  const Result<std::string> log = trace::to_event_log(walk.trace());
  if (!log) return out;
  std::istringstream lines(*log);
  for (std::string line; std::getline(lines, line);) out.push_back(LogObject::parse(line));
  return out;
}

void erase_or_damage(LogObject& json, Rng& rng, uint64_t damage) {
  if (json.is_number_integer() && damage > 0 && rng.below(damage) == 0) {
    json = json.get<int64_t>() + 1;
  }
  if (!json.is_object()) return;
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  for (const std::string& key : keys) {
    if (key.starts_with("$")) continue;
    if (key != "failure" && rng.below(4) == 0) {
      json.erase(key);
    } else {
      erase_or_damage(json[key], rng, damage);
    }
  }
}

bool is_part(const LogObject& log, const LogObject& whole) {
  if (!log.is_object() || !whole.is_object()) return log == whole;
  for (const auto& [key, value] : log.items()) {
    if (!whole.contains(key) || !is_part(value, whole[key])) return false;
  }
  return true;
}

class AllRuns {
 public:
  AllRuns(const Checkable& system, const std::vector<LogObject>& lines)
      : world_(system.world()), lines_(lines), reached_(lines.size() + 1) {}

  // False: there are too many.
  bool run() {
    for (uint32_t initial = 0; initial < world_->initial_count(); ++initial) {
      initial_ = initial;
      go({});
    }
    return runs_ < kMostRuns;
  }
  size_t departed_at() const {
    for (size_t i = 1; i < reached_.size(); ++i) {
      if (reached_[i].empty()) return i;
    }
    return 0;
  }
  size_t states_after(size_t line) const { return reached_[line].size(); }

 private:
  // To the state behind these choices; again from the start, each time.
  bool to(const std::vector<uint32_t>& way) {
    if (!world_->reset(initial_)) return false;
    for (const uint32_t index : way) {
      world_->enabled();
      if (!world_->apply(index)) return false;
    }
    return true;
  }

  void go(const std::vector<uint32_t>& way) {
    if (++runs_ >= kMostRuns || !to(way)) return;
    reached_[way.size()].insert(world_->fingerprint());
    if (way.size() == lines_.size()) return;
    const LogObject& line = lines_[way.size()];
    std::vector<uint32_t> meant;
    const size_t count = world_->enabled().size();
    for (uint32_t i = 0; i < count; ++i) {
      if (world_->enabled()[i].fails == line.contains("failure") &&
          names(line, world_->action(i))) {
        meant.push_back(i);
      }
    }
    for (const uint32_t index : meant) {
      if (!to(way)) return;
      if (world_->enabled()[index].fails) {
        reached_[way.size() + 1].insert(world_->fingerprint() + 1);  // and that is the end
        continue;
      }
      if (!world_->apply(index) || !looks(line)) continue;
      std::vector<uint32_t> next = way;
      next.push_back(index);
      go(next);
    }
  }

  static bool names(const LogObject& line, const Action& action) {
    const auto says = [&](const char* field, const LogObject& is) {
      return !line.contains(field) || is_part(line[field], is);
    };
    return says("kind", kind_name(action)) && says("node", action.node) &&
           says("from", action.from) && says("type", action.type) &&
           says("choices", action.choices) && says("payload", trace::tree_to_json(action.payload));
  }

  bool looks(const LogObject& line) {
    if (!line.contains("node")) return true;
    for (const Snapshot::Part& part : world_->observe().parts) {
      if (part.node != line["node"]) continue;
      if (line.contains("up") && line["up"] != part.up) return false;
      return !line.contains("state") || is_part(line["state"], trace::tree_to_json(part.tree));
    }
    return true;
  }

  const std::unique_ptr<World> world_;
  const std::vector<LogObject>& lines_;
  std::vector<std::set<uint64_t>> reached_;  // fingerprints behind so many lines
  uint32_t initial_ = 0;
  size_t runs_ = 0;
};

std::string problem_with(const Checkable& system, const std::vector<LogObject>& lines,
                         LogTotals& totals) {
  AllRuns naive(system, lines);
  if (!naive.run()) return "";
  std::string text;
  bool says = false;
  for (const LogObject& line : lines) {
    text += line.dump() + "\n";
    says = says || line.contains("kind") || line.contains("type") || line.contains("node");
  }
  std::istringstream log(text);
  conform::SystemLogOptions options;
  options.name = "it";
  options.as_declared = true;
  options.space_bytes = lines.size() % 2 == 0 ? 1 : 1 << 30;
  const Result<conform::Conformance> found = follow_system_log(system, log, options, {});
  if (!found) return found.error().message + "\n" + text;
  const uint64_t told = found->departure ? found->departure->line : 0;
  const std::string about = text + to_text(*found, "log");
  if (told != naive.departed_at()) {
    return fmt::format("it departs at {}, the engine says at {}\n{}", naive.departed_at(), told,
                       about);
  }
  if (told > 0) {
    ++totals.departed;
    return "";
  }
  ++totals.conformed;
  if (found->conforms.value_or(false) != says) return "it conforms, or not\n" + about;
  const size_t states = naive.states_after(lines.size());
  totals.most = std::max(totals.most, states);
  return states == found->frontier ? ""
                                   : fmt::format("{} states are possible, the engine has {}\n{}",
                                                 states, found->frontier, about);
}

}  // namespace

std::string problem_with_system_logs(uint64_t seeds, LogTotals& totals) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const Case made = generate(seed);
    if (!made.system.validate()) continue;
    Rng rng(seed);
    constexpr int kLogs = 3;
    for (int i = 0; i < kLogs; ++i) {
      std::vector<LogObject> lines = logged_run(made.system, rng);
      if (lines.empty()) continue;
      const uint64_t damage = i == 2 ? 12 : 0;
      if (i > 0) {
        for (LogObject& line : lines) {
          erase_or_damage(line, rng, damage);
          // A line must say what step it is.
          if (!line.contains("kind") && !line.contains("type")) line["kind"] = "deliver";
        }
      }
      if (i == 2 && rng.below(3) == 0) {
        LogObject& last = lines.back();
        if (last.erase("failure") == 0) last["failure"] = "it threw";
      }
      const std::string problem = problem_with(made.system, lines, totals);
      if (!problem.empty()) return fmt::format("seed {}, log {}: {}", seed, i, problem);
    }
  }
  return "";
}

}  // namespace ordeal::oracle
