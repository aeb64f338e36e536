#include <fmt/format.h>

#include <fstream>
#include <optional>

#include "explore/search/search.h"
#include "language/tla/model/space.h"
#include "language/tla/syntax/parse.h"
#include "ordeal/check.h"
#include "tests/oracle/tla/naive_search.h"
#include "tests/oracle/tla/problems.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::oracle::naive {
namespace {

std::string told(const SearchResult& result) {
  std::string out =
      fmt::format("{}: {} initial, {} distinct, {} outside, {} transitions, {} terminal, depth {}",
                  result.trouble             ? "error"
                  : !result.violated.empty() ? "violated"
                                             : "holds",
                  result.initial, result.distinct, result.outside, result.transitions,
                  result.terminal, result.depth);
  for (const auto& [name, length] : result.violated)
    out += fmt::format("; {} after {}", name, length);
  if (result.trouble) out += fmt::format("; trouble after {}", *result.trouble);
  return out;
}

std::string told(const Report& report) {
  SearchResult result;
  result.initial = report.initial_states;
  result.distinct = report.distinct_states;
  result.outside = report.outside_states;
  result.transitions = report.transitions;
  result.terminal = report.terminal_states;
  result.depth = report.depth;
  for (const Violation& violation : report.violations) {
    result.violated[violation.property] = static_cast<uint32_t>(violation.trace->steps.size());
  }
  if (report.trouble) result.trouble = static_cast<uint32_t>(report.trouble->trace->steps.size());
  std::string out = told(result);
  if (report.generated_states != report.initial_states + report.transitions) {
    out += fmt::format("; generated {}", report.generated_states);
  }
  if (out.find(to_string(report.verdict)) != 0)
    out += fmt::format("; {}", to_string(report.verdict));
  return out;
}

class SpecExaminer {
 public:
  SpecExaminer(uint64_t seed, std::string folder, Tally& tally)
      : spec_(random_spec(seed)), seed_(seed), folder_(std::move(folder)), tally_(tally) {}

  std::string problem() {
    ++tally_.cases;
    const std::string path = folder_ + "/Spec.tla";
    std::ofstream(path) << spec_.module;
    std::ofstream(folder_ + "/Spec.cfg") << spec_.config;
    tla::Sources sources;
    Result<tla::Module> module = tla::parse_module(sources, sources.add(path, spec_.module));
    if (!module) return where(module.error().message);
    Evaluator naive({&*module},
                    {{"m1", Val::model("m1")}, {"m2", Val::model("m2")}, {"m3", Val::model("m3")}});
    tla::LoadOptions options;
    options.path = path;
    const auto loaded = tla::Specification::load(options);
    if (!loaded) return where(loaded.error().message);
    const tla::TlaSystem system(*loaded);
    try {
      for (const bool keep_going : {true, false}) {
        SpecSearch search(naive, spec_, keep_going);
        const SearchResult expected = search.run();
        if (std::string problem = by_engine(system, expected, keep_going); !problem.empty()) {
          return where(problem);
        }
        if (keep_going) {
          count(expected, naive);
          if (std::string problem = by_force(naive, search.states()); !problem.empty()) {
            return where(problem);
          }
        }
      }
    } catch (const TooMuch&) {
      ++tally_.skipped;
    }
    return "";
  }

 private:
  std::string where(const std::string& problem) const {
    return fmt::format("specification {}: {}", seed_, problem);
  }

  void count(const SearchResult& result, const Evaluator& naive) {
    for (const std::string& feature : spec_.features) ++tally_.seen[feature];
    for (const auto& [what, count] : naive.seen) tally_.seen[what] += count;
    tally_.values += result.distinct;
    tally_.without_value += result.trouble.has_value();
    ++tally_.seen[!result.starts             ? "no start"
                  : result.trouble           ? "an error"
                  : !result.violated.empty() ? "a violation"
                                             : "holds"];
    for (const auto& [name, length] : result.violated) ++tally_.seen[name + " violated"];
    if (result.outside > 0) ++tally_.seen["states outside"];
    if (result.distinct > 20) ++tally_.seen["many states"];
  }

  std::string by_engine(const tla::TlaSystem& system, const SearchResult& expected,
                        bool keep_going) {
    for (const int threads : {1, 2}) {
      // Threads wait for each other, which takes time where others work too.
      if (threads > 1 && seed_ % 4 != 0) break;
      Options options;
      options.strategy = "bfs";
      options.threads = threads;
      options.keep_going = keep_going;
      options.minimise = false;
      const Result<Report> report = check(system, options);
      const std::string who =
          fmt::format("on {} threads{}", threads, keep_going ? ", going on" : "");
      if (report.ok() != expected.starts) {
        return who + (report.ok() ? ": it should not start" : ": " + report.error().message);
      }
      if (!report) continue;
      if (told(*report) != told(expected)) {
        return fmt::format("{}\n  {}\nwhere it should be\n  {}", who, told(*report),
                           told(expected));
      }
      if (threads == 1) {
        if (std::string problem = replays(system, *report); !problem.empty()) return problem;
      }
    }
    return "";
  }

  static std::string replays(const tla::TlaSystem& system, const Report& report) {
    std::vector<const Trace*> traces;
    for (const Violation& one : report.violations) traces.push_back(&*one.trace);
    if (report.trouble) traces.push_back(&*report.trouble->trace);
    for (const Trace* trace : traces) {
      const Result<Trace> read = trace_from_json(to_json(*trace));
      if (!read) return read.error().message;
      const Result<ReplayResult> again = replay(system, *read);
      if (!again) return again.error().message;
      if (!again->reproduced) return "a trace does not replay: " + again->why;
    }
    return "";
  }

  // Of a few states: those in the domains for which Next is true are those that it says.
  std::string by_force(Evaluator& naive, const std::vector<State>& states) {
    std::vector<std::vector<Val>> domains;
    size_t product = 1;
    for (const std::string& name : spec_.domains) {
      const Val domain = naive.value_of(name, {});
      domains.emplace_back(domain.set->begin(), domain.set->end());
      product *= domains.back().size();
    }
    constexpr size_t kMost = 120;
    if (product > kMost || !spec_.total) return "";
    for (size_t i = 0; i < states.size(); i += states.size() / 3 + 1) {
      ++tally_.seen["states by force"];
      Set said, possible;
      naive.steps_of("Next", &states[i], [&](const State& to) {
        std::vector<Val> values;
        for (const std::optional<Val>& value : to) values.push_back(*value);
        said.insert(Val::sequence(values));
        return true;
      });
      std::vector<size_t> at(domains.size());
      for (size_t n = 0; n < product; ++n) {
        State to;
        std::vector<Val> values;
        size_t rest = n;
        for (const std::vector<Val>& domain : domains) {
          to.push_back(domain[rest % domain.size()]);
          values.push_back(*to.back());
          rest /= domain.size();
        }
        if (naive.truth_of("Next", {&states[i], &to})) possible.insert(Val::sequence(values));
      }
      if (text_of(Val::of(said)) != text_of(Val::of(possible))) {
        return fmt::format("Next says {}\nwhere it is true of {}", text_of(Val::of(said)),
                           text_of(Val::of(possible)));
      }
    }
    return "";
  }

  const RandomSpec spec_;
  const uint64_t seed_;
  const std::string folder_;
  Tally& tally_;
};

}  // namespace

std::string problem_with_specs(uint64_t first_seed, uint64_t specs, Tally& tally) {
  const e2e::Folder folder;
  explore::share_small_rounds = true;
  std::string problem;
  for (uint64_t seed = first_seed; problem.empty() && seed < first_seed + specs; ++seed) {
    problem = SpecExaminer(seed, folder.path(), tally).problem();
  }
  explore::share_small_rounds = false;
  return problem;
}

std::string problem_with_tla() {
  Tally tally;
  constexpr uint64_t kModules = 15, kSpecs = 150, kBehaviours = 60;
  for (uint64_t round = 0; round < 8; ++round) {
    std::string problem = problem_with_expressions(round * kModules, kModules, tally);
    if (problem.empty()) problem = problem_with_specs(round * kSpecs, kSpecs, tally);
    if (problem.empty()) problem = problem_with_behaviours(round * kBehaviours, kBehaviours, tally);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace ordeal::oracle::naive
