// Logs against random specifications, compared with a validator that goes through all behaviours,
// one after the other: no sets of states, no TLA+, a specification is a table of its steps.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/rng.h"
#include "conform/tla_log.h"
#include "tests/oracle/conform/problems.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::oracle {
namespace {

using namespace conform;  // NOLINT: what is tested

using Object = nlohmann::ordered_json;

constexpr int kValues = 3;          // of each variable, and of arguments
using Place = std::pair<int, int>;  // x and y

struct TableStep {
  char action = 'A';  // A(i), B(i), H
  int argument = 0;
  Place from, to;
};

struct TableSpec {
  std::vector<Place> initial;
  std::vector<TableStep> steps;
  int hidden = 0;  // steps of H between two lines, at most
};

TableSpec random_table(Rng& rng) {
  TableSpec out;
  const auto value = [&] { return static_cast<int>(rng.below(kValues)); };
  for (uint64_t i = 1 + rng.below(2); i > 0; --i) out.initial.push_back({value(), value()});
  for (uint64_t i = 6 + rng.below(14); i > 0; --i) {
    const char action = "AABBH"[rng.below(5)];
    out.steps.push_back(
        {action, action == 'H' ? 0 : value(), {value(), value()}, {value(), value()}});
  }
  out.hidden = static_cast<int>(rng.below(3));
  return out;
}

std::string table_text(const TableSpec& spec) {
  std::string tables[3] = {"<<9, 9, 9, 9, 9>>", "<<9, 9, 9, 9, 9>>", "<<9, 9, 9, 9, 9>>"};
  for (const TableStep& step : spec.steps) {
    tables[step.action == 'A'   ? 0
           : step.action == 'B' ? 1
                                : 2] +=
        fmt::format(", <<{}, {}, {}, {}, {}>>", step.argument, step.from.first, step.from.second,
                    step.to.first, step.to.second);
  }
  std::string out = "---- MODULE Table ----\nEXTENDS Naturals\nVARIABLES x, y\n";
  for (int i = 0; i < 3; ++i) out += fmt::format("T{} == {{{}}}\n", "ABH"[i], tables[i]);
  out +=
      "Go(T, i) == \\E t \\in T : /\\ t[1] = i /\\ t[2] = x /\\ t[3] = y\n"
      "                        /\\ x' = t[4] /\\ y' = t[5]\n"
      "A(i) == Go(TA, i)\nB(i) == Go(TB, i)\nH == Go(TH, 0)\n"
      "Next == (\\E i \\in 0 .. 2 : A(i)) \\/ (\\E i \\in 0 .. 2 : B(i)) \\/ H\nInit == ";
  for (const Place& place : spec.initial) {
    out += fmt::format("\\/ (x = {} /\\ y = {}) ", place.first, place.second);
  }
  return out + "\n====\n";
}

std::string table_mapper(const TableSpec& spec) {
  return "specification Table\n" +
         (spec.hidden > 0 ? fmt::format("hidden H at most {}\n", spec.hidden) : "") +
         R"(see x = event.x
on event.op = "a"
  do A(event.i)
  see y = event.y
on event.op = "ab"
  do A(event.i) then maybe B(event.j)
on event.op = "either"
  do A(i: event.i) or B(event.i) when x = 1
  or nothing when y = 2
on event.op = "all"
  do B(k) for k in event.list
on event.op = "note"
  ignore
otherwise depart
)";
}

// --- The log -------------------------------------------------------------------------------------
struct NaiveLine {
  std::string op;  // "": nobody can read it
  Object json;
};

std::vector<NaiveLine> random_lines(Rng& rng) {
  std::vector<NaiveLine> out;
  const auto value = [&] { return static_cast<int>(rng.below(kValues)); };
  for (uint64_t i = 1 + rng.below(6); i > 0; --i) {
    NaiveLine line;
    static const std::vector<std::string> kOps = {"a",   "a",    "ab", "either",
                                                  "all", "note", "",   "odd"};
    line.op = kOps[rng.below(rng.below(4) == 0 ? kOps.size() : 5)];
    line.json = {{"op", line.op}};
    // Each field is there, or it was erased.
    for (const char* field : {"i", "j"}) {
      if (rng.below(3) == 0) line.json[field] = value();
    }
    for (const char* field : {"x", "y"}) {
      if (rng.below(6) == 0) line.json[field] = value();
    }
    if (line.op == "all") {
      Object list = Object::array();
      for (uint64_t n = rng.below(3); n > 0; --n) list.push_back(value());
      line.json["list"] = list;
    }
    out.push_back(std::move(line));
  }
  return out;
}

// --- The naive validator -------------------------------------------------------------------------
class AllBehaviours {
 public:
  AllBehaviours(const TableSpec& spec, const std::vector<NaiveLine>& lines)
      : spec_(spec), lines_(lines), reached_(lines.size() + 1) {}

  void run() {
    for (const Place& place : spec_.initial) go(place, 0);
  }
  // The line where no behaviour goes on, from 1; 0: there is none.
  size_t departed_at() const {
    for (size_t i = 1; i < reached_.size(); ++i) {
      if (reached_[i].empty()) return i;
    }
    return 0;
  }
  size_t states_after(size_t line) const { return reached_[line].size(); }

 private:
  using Then = std::function<void(Place)>;

  void go(Place place, size_t line) {
    reached_[line].insert(place);
    if (line == lines_.size()) return;
    const NaiveLine& here = lines_[line];
    const auto on = [&](Place next) { go(next, line + 1); };
    const auto seen = [&](Place next) {
      if (has(here, "x") && here.json["x"] != next.first) return;
      if (here.op == "a" && has(here, "y") && here.json["y"] != next.second) return;
      on(next);
    };
    if (here.op == "note") return on(place);
    if (here.op.empty()) {
      on(place);
      return each(place, "ABH", -1, on);
    }
    hide(place, spec_.hidden, [&](Place at) { step(at, here, seen); });
  }

  void step(Place at, const NaiveLine& line, const Then& then) {
    const int i = has(line, "i") ? line.json["i"].get<int>() : -1;
    const int j = has(line, "j") ? line.json["j"].get<int>() : -1;
    if (line.op == "a") return each(at, "A", i, then);
    if (line.op == "ab") {
      return each(at, "A", i, [&](Place next) {
        then(next);
        each(next, "B", j, then);
      });
    }
    if (line.op == "either") {
      each(at, "A", i, then);
      if (at.first == 1) each(at, "B", i, then);
      if (at.second == 2) then(at);
      return;
    }
    if (line.op == "all") several(at, line.json["list"], 0, then);
  }

  void several(Place at, const Object& list, size_t from, const Then& then) {
    if (from == list.size()) return then(at);
    each(at, "B", list[from].get<int>(), [&](Place next) { several(next, list, from + 1, then); });
  }

  // `argument` -1: any.
  void each(Place at, const std::string& actions, int argument, const Then& then) {
    for (const TableStep& step : spec_.steps) {
      if (actions.find(step.action) == actions.npos || step.from != at) continue;
      if (argument >= 0 && step.argument != argument) continue;
      then(step.to);
    }
  }

  void hide(Place at, int most, const Then& then) {
    then(at);
    if (most > 0) each(at, "H", -1, [&](Place next) { hide(next, most - 1, then); });
  }

  static bool has(const NaiveLine& line, const char* field) { return line.json.contains(field); }

  const TableSpec& spec_;
  const std::vector<NaiveLine>& lines_;
  std::vector<std::set<Place>> reached_;  // behind so many lines
};

// "": the engine says of this log what is true.
std::string problem_with_log(const TableSpec& spec, const std::vector<NaiveLine>& lines,
                             const Conformance& found, LogTotals& totals) {
  AllBehaviours naive(spec, lines);
  naive.run();
  bool is_unread = false, says = false;
  for (const NaiveLine& line : lines) {
    is_unread = is_unread || line.op.empty();
    says = says || (!line.op.empty() && line.op != "note");
  }
  const size_t line = naive.departed_at();
  const uint64_t told = found.departure ? found.departure->line : 0;
  if (told != line) return fmt::format("it departs at {}, the engine says at {}", line, told);
  if (found.lines != lines.size()) return "lines are counted wrongly";
  if (line > 0) {
    ++totals.departed;
    if (found.conforms.value_or(true)) return "the engine does not say that it departs";
    return found.conforming == line - 1 ? "" : "another prefix conforms";
  }
  ++(says && !is_unread ? totals.conformed : totals.undecided);
  if (found.conforms.value_or(false) != (says && !is_unread)) return "it conforms, or not";
  const size_t states = naive.states_after(lines.size());
  totals.most = std::max(totals.most, states);
  return found.frontier == states
             ? ""
             : fmt::format("{} states are possible, the engine has {}", states, found.frontier);
}

}  // namespace

std::string problem_with_tla_logs(uint64_t seeds, LogTotals& totals) {
  const e2e::Folder folder;
  const std::string path = folder.path() + "/Table.tla";
  std::ofstream(folder.path() + "/Table.cfg") << "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Rng rng(seed);
    const TableSpec spec = random_table(rng);
    std::ofstream(path) << table_text(spec);
    tla::LoadOptions load;
    load.path = path;
    constexpr int kLogs = 6;
    for (int i = 0; i < kLogs; ++i) {
      const std::vector<NaiveLine> lines = random_lines(rng);
      std::string log;
      for (const NaiveLine& line : lines) {
        log += (line.op.empty() ? std::string("{\"op\": \"a") : line.json.dump()) + "\n";
      }
      auto loaded = tla::Specification::load(load);
      if (!loaded) return loaded.error().message;
      std::istringstream text(log);
      TlaLogOptions tla;
      tla.mapper = table_mapper(spec);
      tla.mapper_path = "table.mapper";
      tla.pool_bytes = seed % 3 == 0 ? 1 : 1 << 20;
      const Result<Conformance> found = follow_tla_log(*loaded, text, tla, {});
      const std::string problem =
          found ? problem_with_log(spec, lines, *found, totals) : found.error().message;
      if (problem.empty()) continue;
      return fmt::format("seed {}: {}\n{}\n{}\n{}\n{}", seed, problem, table_text(spec), tla.mapper,
                         log, found ? to_text(*found, "log") : "");
    }
  }
  return "";
}

}  // namespace ordeal::oracle
