#include "tests/oracle/seams/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/rng.h"
#include "explore/search/search.h"
#include "tests/oracle/seams/naive_search.h"

namespace ordeal::oracle {
namespace {

std::string text_of(const ShortForm& run) {
  std::string text = std::to_string(run.initial) + ":";
  for (const uint32_t choice : run.choices) text += std::to_string(choice) + ".";
  return text;
}

std::string run_of(const std::optional<Trace>& trace) {
  if (!trace) return "no trace";
  ShortForm run{trace->initial, {}};
  for (const TraceStep& step : trace->steps) run.choices.push_back(step.choice);
  return text_of(run);
}

// Everything that a search tells and that must be the same however it was made.
std::string told(const Report& report) {
  std::string text =
      fmt::format("{}: {} states, {} outside, {} generated of {} initial, {} transitions, depth {}",
                  to_string(report.verdict), report.distinct_states, report.outside_states,
                  report.generated_states, report.initial_states, report.transitions, report.depth);
  for (const Violation& violation : report.violations) {
    text +=
        fmt::format("; {} {} by {}", violation.property, violation.count, run_of(violation.trace));
  }
  if (report.trouble) {
    text += fmt::format("; {} ({}) by {}", report.trouble->message, report.trouble->on_step,
                        run_of(report.trouble->trace));
  }
  return text;
}

std::string different(const std::string& who, const std::string& expected,
                      const std::string& actual) {
  return expected == actual ? ""
                            : who + " tells\n  " + actual + "\nwhere it should be\n  " + expected;
}

class TableExaminer {
 public:
  TableExaminer(uint64_t seed, std::string folder, TableTally& tally)
      : subject_(random_table(seed)), seed_(seed), folder_(std::move(folder)), tally_(tally) {}

  std::string problem() {
    ++tally_.tables;
    for (const bool keep_going : {false, true}) {
      keep_going_ = keep_going;
      for (const auto& check :
           {&TableExaminer::breadth_first, &TableExaminer::depth_first, &TableExaminer::runs}) {
        const std::string problem = (this->*check)();
        if (!problem.empty()) {
          return fmt::format("table {}, keep_going {}: {}", seed_, keep_going, problem);
        }
      }
    }
    return "";
  }

 private:
  Options options(const std::string& strategy, int threads) const {
    Options out;
    out.strategy = strategy;
    out.threads = threads;
    out.keep_going = keep_going_;
    out.system = "table";
    return out;
  }

  std::string breadth_first() {
    const NaiveResult naive = NaiveSearch(subject_.table(), keep_going_).run();
    const Result<Report> alone = check(subject_, options("bfs", 1));
    if (!alone) return alone.error().message;
    if (std::string problem = against(naive, *alone); !problem.empty()) return problem;
    for (const int threads : {2, 8}) {
      const Result<Report> report = check(subject_, options("bfs", threads));
      if (!report) return report.error().message;
      const std::string who = fmt::format("bfs on {} threads", threads);
      if (std::string p = different(who, told(*alone), told(*report)); !p.empty()) return p;
    }
    Options on_disk = options("bfs", 2);
    on_disk.spill = folder_;
    on_disk.spill_bytes = 1;
    const Result<Report> spilled = check(subject_, on_disk);
    if (!spilled) return spilled.error().message;
    if (std::string p = different("bfs on disk", told(*alone), told(*spilled)); !p.empty())
      return p;
    // Each part is written to disk for good, which takes longer than all the rest.
    constexpr uint64_t kInParts = 5;
    return seed_ % kInParts == 0 ? in_parts(*alone) : "";
  }

  // Stopped at bounds on the number of states, and gone on with.
  std::string in_parts(const Report& whole) {
    const std::string file = folder_ + "/checkpoint";
    std::filesystem::remove(file);
    for (uint64_t most = 3;; most *= 3) {
      Options part = options("bfs", most % 2 == 0 ? 1 : 2);
      part.checkpoint = file;
      part.checkpoint_seconds = 0;
      part.max_states = most;
      const Result<Report> report = check(subject_, part);
      if (!report) return report.error().message;
      if (report->ended_by(Bound::Kind::kStates)) {
        ++tally_.resumed;
        continue;
      }
      return different("bfs in parts", told(whole), told(*report));
    }
  }

  std::string against(const NaiveResult& naive, const Report& report) {
    const Table& table = subject_.table();
    tally_.troubles += naive.trouble.has_value();
    tally_.on_steps += naive.trouble && naive.trouble->on_step;
    tally_.bad_steps += naive.violated.count(Table::kSteps);
    tally_.bad_states += naive.violated.count(Table::kStates);
    tally_.outside += naive.outside > 0;
    tally_.both += naive.trouble && !naive.violated.empty();
    tally_.views += table.view(9) == table.view(2);
    const Verdict verdict = naive.trouble             ? Verdict::kError
                            : !naive.violated.empty() ? Verdict::kViolated
                                                      : Verdict::kHolds;
    const auto counts = [](auto&&... numbers) { return fmt::format("{} {} {} {} {}", numbers...); };
    if (auto p =
            different("bfs (states, outside, generated, transitions, verdict)",
                      counts(naive.distinct, naive.outside, naive.generated, naive.transitions,
                             to_string(verdict)),
                      counts(report.distinct_states, report.outside_states, report.generated_states,
                             report.transitions, to_string(report.verdict)));
        !p.empty()) {
      return p;
    }
    std::string expected, actual;
    for (const auto& [property, run] : naive.violated) {
      expected += subject_.properties()[property].name + " " + text_of(run) + "; ";
    }
    std::vector<std::string> violations;
    for (const Violation& one : report.violations) {
      violations.push_back(one.property + " " + run_of(one.trace) + "; ");
    }
    std::sort(violations.begin(), violations.end());  // as the properties
    std::reverse(violations.begin(), violations.end());
    std::vector<std::string> wanted;
    for (const auto& [property, run] : naive.violated) {
      wanted.push_back(subject_.properties()[property].name + " " + text_of(run) + "; ");
    }
    std::sort(wanted.rbegin(), wanted.rend());
    if (violations != wanted) {
      return different("bfs (violations)", fmt::format("{}", fmt::join(wanted, "")),
                       fmt::format("{}", fmt::join(violations, "")));
    }
    if (naive.trouble) {
      expected = fmt::format("{} {} {}", naive.trouble->message, naive.trouble->on_step,
                             text_of(naive.trouble->run));
    } else {
      expected = "none";
    }
    actual = report.trouble ? fmt::format("{} {} {}", report.trouble->message,
                                          report.trouble->on_step, run_of(report.trouble->trace))
                            : "none";
    return different("bfs (trouble)", expected, actual);
  }

  std::string depth_first() {
    const Result<Report> alone = check(subject_, options("dfs", 1));
    if (!alone) return alone.error().message;
    const Result<Report> report = check(subject_, options("dfs", 3));
    if (!report) return report.error().message;
    if (auto p = different("dfs on 3 threads", told(*alone), told(*report)); !p.empty()) return p;
    return is_so(*alone);
  }

  std::string runs() {
    Options sampled = options("random", 1);
    sampled.max_runs = 20;
    sampled.max_depth = 30;
    sampled.seed = seed_;
    const Result<Report> report = check(subject_, sampled);
    if (!report) return report.error().message;
    const bool is_numbered = report->trouble && report->trouble->run == report->runs;
    if (report->trouble && !is_numbered) return "the run that ended in trouble has another number";
    return is_so(*report);
  }

  // What was found is so in the table, and replays.
  std::string is_so(const Report& report) {
    if (report.trouble.has_value() != (report.verdict == Verdict::kError)) return "no error";
    std::vector<const Trace*> traces;
    for (const Violation& one : report.violations) traces.push_back(&*one.trace);
    if (report.trouble) traces.push_back(&*report.trouble->trace);
    for (const Trace* trace : traces) {
      const Result<Trace> read = trace_from_json(to_json(*trace));
      if (!read) return read.error().message;
      const Result<ReplayResult> again = replay(subject_, *read);
      if (!again) return again.error().message;
      if (!again->reproduced) return "a trace does not replay: " + again->why;
      const std::string problem = is_in_the_table(*trace);
      if (!problem.empty()) return problem + " by " + run_of(*trace);
    }
    return "";
  }

  std::string is_in_the_table(const Trace& trace) {
    const Table& table = subject_.table();
    uint32_t state = table.root(trace.initial);
    Table::Edge last;
    uint32_t before = state;
    for (const TraceStep& step : trace.steps) {
      std::vector<Table::Edge> edges;
      table.next(state, edges);
      last = edges.at(step.choice);
      before = state;
      state = last.to;
    }
    if (trace.verdict.is_trouble()) {
      const bool on_step = last.trouble && table.judges_steps && !trace.steps.empty();
      const std::string message =
          on_step ? Table::trouble_of(before, state) : table.trouble_of(state);
      return different("a trace", message, trace.verdict.why);
    }
    const bool on_step = trace.verdict.property == "no bad step";
    return (on_step ? last.bad : table.bad(state)) ? "" : "what is not violated";
  }

  const TableSubject subject_;
  const uint64_t seed_;
  const std::string folder_;
  TableTally& tally_;
  bool keep_going_ = false;
};

// A hub behind the last of many initial states, and a bad state behind its last action.
Table many(uint32_t roots, uint32_t actions) {
  Table out;
  out.roots = roots;
  out.next = [=](uint32_t state, std::vector<Table::Edge>& edges) {
    if (state == roots - 1) edges.push_back({roots});
    for (uint32_t i = 0; state == roots && i < actions; ++i) edges.push_back({roots + 1 + i});
  };
  out.bad = [=](uint32_t state) { return state == roots + actions; };
  return out;
}

std::string problem_with_run(const TableSubject& subject, const std::string& who,
                             const Result<Report>& report, const ShortForm& wanted) {
  if (!report) return who + ": " + report.error().message;
  if (report->violations.size() != 1) return who + ": nothing is violated";
  const Trace& trace = *report->violations[0].trace;
  if (auto p = different(who, text_of(wanted), run_of(trace)); !p.empty()) return p;
  const Result<ShortForm> form = parse_short_form(short_form(trace));
  if (!form || text_of(*form) != text_of(wanted)) return who + ": the short form is another run";
  const Result<Trace> read = trace_from_json(to_json(trace));
  if (!read) return read.error().message;
  const Result<ReplayResult> again = replay(subject, *read);
  if (!again) return again.error().message;
  return again->reproduced ? "" : who + ": the trace does not replay: " + again->why;
}

}  // namespace

Table random_table(uint64_t seed) {
  struct Drawn {
    std::vector<std::vector<Table::Edge>> edges;
    std::vector<bool> bad, within;
    std::vector<Table::Unknown> unknown;
  };
  Rng rng(seed);
  const auto drawn = std::make_shared<Drawn>();
  const auto states = static_cast<uint32_t>(rng.below(seed % 10 == 0 ? 3000 : 60) + 1);
  const auto one_in = [&rng](uint64_t n) { return n > 0 && rng.below(n) == 0; };
  // What is rare is met late; what never occurs leaves the rest to be seen.
  const auto rarity = [&] { return rng.below(3) == 0 ? 0 : states / 4 + rng.below(states + 1); };
  const uint64_t unknown = rarity(), edge_trouble = rarity() * 2, bad = rarity();
  const uint64_t bad_edge = rarity() * 2, outside = one_in(2) ? 0 : 6, outside_edge = rarity();
  for (uint32_t state = 0; state < states; ++state) {
    auto& edges = drawn->edges.emplace_back(rng.below(5));
    for (Table::Edge& edge : edges) {
      edge.to = static_cast<uint32_t>(rng.below(states));
      edge.outside = one_in(outside_edge);
      edge.bad = one_in(bad_edge);
      edge.trouble = one_in(edge_trouble);
    }
    drawn->bad.push_back(one_in(bad));
    drawn->within.push_back(!one_in(outside));
    drawn->unknown.push_back(one_in(unknown) ? static_cast<Table::Unknown>(rng.below(4))
                                             : Table::Unknown::kNothing);
  }
  drawn->within[0] = true;
  Table out;
  out.roots = static_cast<uint32_t>(rng.below(4) + 1);
  out.root = [states](uint32_t i) { return i * 3 / 2 % states; };
  out.next = [drawn](uint32_t state, std::vector<Table::Edge>& edges) {
    edges.insert(edges.end(), drawn->edges[state].begin(), drawn->edges[state].end());
  };
  out.bad = [drawn](uint32_t state) { return drawn->bad[state]; };
  out.within = [drawn](uint32_t state) { return drawn->within[state]; };
  out.unknown = [drawn](uint32_t state) { return drawn->unknown[state]; };
  if (one_in(2)) {
    out.view = [of = static_cast<uint32_t>(states / 2 + 1)](uint32_t state) {
      return of <= 9 ? state % 7 : state % of;
    };
  }
  out.judges_steps = !one_in(4);
  out.judges_outside = !one_in(3);
  out.constrained = true;
  return out;
}

std::string problem_with_tables(uint64_t first_seed, uint64_t count, const std::string& folder,
                                TableTally& tally) {
  explore::share_small_rounds = true;
  std::string problem;
  for (uint64_t seed = first_seed; problem.empty() && seed < first_seed + count; ++seed) {
    problem = TableExaminer(seed, folder, tally).problem();
  }
  explore::share_small_rounds = false;
  return problem;
}

std::string problem_with_many(uint32_t roots, uint32_t actions, const std::string& folder) {
  const TableSubject subject(many(roots, actions));
  const ShortForm wanted{roots - 1, {0, actions - 1}};
  for (const int threads : {1, 2, 5}) {
    for (const char* strategy : {"bfs", "dfs"}) {
      Options options;
      options.strategy = strategy;
      options.threads = threads;
      const Result<Report> report = check(subject, options);
      const std::string who = fmt::format("{} on {} threads", strategy, threads);
      if (auto p = problem_with_run(subject, who, report, wanted); !p.empty()) return p;
      const uint64_t all = uint64_t{roots} + 1 + actions;
      if (report->initial_states != roots || report->generated_states != all ||
          report->distinct_states != all) {
        return who + ": " + told(*report);
      }
    }
  }
  // Stopped between the initial states, and behind the hub; then on disk.
  Options part;
  part.strategy = "bfs";
  part.checkpoint = folder + "/many";
  part.checkpoint_seconds = 0;
  for (const uint64_t most : {uint64_t{roots} - 5, uint64_t{roots} + 2}) {
    part.max_states = most;
    const Result<Report> report = check(subject, part);
    if (!report) return report.error().message;
    if (!report->ended_by(Bound::Kind::kStates)) return "it did not stop at the bound";
  }
  part.max_states = 0;
  if (auto p = problem_with_run(subject, "gone on with", check(subject, part), wanted);
      !p.empty()) {
    return p;
  }
  Options on_disk;
  on_disk.strategy = "bfs";
  on_disk.spill = folder;
  on_disk.spill_bytes = 1;
  return problem_with_run(subject, "on disk", check(subject, on_disk), wanted);
}

}  // namespace ordeal::oracle
