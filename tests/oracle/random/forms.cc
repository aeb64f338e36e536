#include "tests/oracle/random/forms.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/symmetry.h"
#include "ordeal/trace.h"
#include "tests/oracle/random/generator.h"

namespace ordeal::oracle {

inline constexpr size_t kMostWalked = 400;    // states of a walk
inline constexpr uint64_t kCheckedEvery = 4;  // so many systems are walked, one is checked as well

inline std::string words(const Sent& sent) {
  return to_string(sent.kind) + std::string(" ") + std::to_string(sent.from) + ">" +
         std::to_string(sent.to) + " " + sent.type + " " + sent.text + " " +
         std::to_string(sent.payload_digest);
}

// All that a step shows.
inline std::string words(const StepDetail& detail) {
  std::string out = show(detail.action) + " " + std::to_string(detail.action.payload_digest);
  for (const Sent& sent : detail.sent) out += "\n  sends " + words(sent);
  for (const auto* lines : {&detail.log, &detail.decided, &detail.timers}) {
    for (const std::string& line : *lines) out += "\n  " + line;
  }
  for (const HistoryEvent& event : detail.history) {
    out += "\n  " + std::to_string(event.client) + (event.is_return ? " returns " : " calls ") +
           event.text;
  }
  return out + "\n  " + detail.failure;
}

// All that a state shows.
inline std::string words(const Snapshot& snapshot) {
  std::string out = std::to_string(snapshot.digest);
  for (const Snapshot::Part& part : snapshot.parts) {
    out += "\n  " + part.name + " " + part.type + (part.up ? " " : " down ") +
           std::to_string(part.digest) + " " + value::to_json(part.tree);
  }
  for (const Sent& sent : snapshot.pending) out += "\n  " + words(sent);
  return out;
}

inline std::string words(const Judgement& judgement) {
  std::string out;
  for (const uint32_t p : judgement.violated) out += " violated " + std::to_string(p);
  for (const uint32_t p : judgement.reached) out += " reached " + std::to_string(p);
  return out;
}

// Of a check, all that does not depend on the clock. Under symmetry, who is who in a run is no
// matter: any member of a class may stand for it.
inline std::string words(const Result<Report>& result, const Options& options) {
  if (!result) return result.error().message;
  std::string out = to_string(result->verdict);
  // Where a search ends early, how much it had looked at is a matter of memory.
  const bool is_whole = result->complete && options.threads == 1 && !options.symmetry;
  for (const uint64_t n :
       {result->distinct_states, result->transitions, result->transitions_no_loops,
        result->terminal_states, uint64_t{result->depth}, is_whole ? result->handler_calls : 0}) {
    out += " " + std::to_string(n);
  }
  for (const auto& property : result->properties) {
    out += "\n" + property.property.name + " " + to_string(property.verdict) + property.note;
  }
  for (const StepCount& step : result->steps) {
    out += "\n" + step.what + ": " + std::to_string(step.count);
  }
  if (options.symmetry) return out;
  for (const Violation& violation : result->violations) {
    out += "\n" + violation.property + " " + violation.why + " " + std::to_string(violation.count);
    if (violation.trace) out += "\n" + to_json(*violation.trace);
  }
  return out;
}

// Walks every state of both spaces. The states of the one are numbered by those of the other.
class BothForms {
 public:
  BothForms(const System& compiled, const System& made, bool classes) {
    const System* const systems[2] = {&compiled, &made};
    for (size_t i = 0; i < 2; ++i) {
      if (classes) symmetries_[i] = *systems[i]->symmetry();
      spaces_[i] = classes ? symmetries_[i]->states() : systems[i]->space();
      explorers_[i] = spaces_[i]->explorer();
    }
  }

  std::string walk(size_t cap) {
    const auto a = spaces_[0]->initial();
    const auto b = spaces_[1]->initial();
    if (!a || !b) return differ("starting", a ? "" : a.error().message, b ? "" : b.error().message);
    if (a->size() != b->size()) return "another number of initial states";
    for (size_t i = 0; i < a->size() && problem_.empty(); ++i) {
      meet({(*a)[i].state, (*b)[i].state}, (*a)[i].fingerprint, (*b)[i].fingerprint);
    }
    while (!queue_.empty() && problem_.empty() && states_.size() < cap) {
      const Pair both = std::move(queue_.front());
      queue_.pop_front();
      step(both);
    }
    if (problem_.empty() && states_.size() != others_.size()) problem_ = "states are told apart";
    return problem_;
  }
  size_t states() const { return states_.size(); }

 private:
  struct Pair {
    std::vector<uint32_t> packed[2];
  };

  std::string differ(const std::string& what, const std::string& a, const std::string& b) {
    if (a != b && problem_.empty()) problem_ = what + ":\ncompiled: " + a + "\nmade: " + b;
    return problem_;
  }

  void meet(Pair both, uint64_t a, uint64_t b) {
    const auto [known, fresh] = states_.emplace(a, b);
    if (known->second != b || others_.emplace(b, a).first->second != a)
      problem_ = "other states are the same";
    if (explorers_[1]->fingerprint(both.packed[1]) != b) problem_ = "a fingerprint from scratch";
    if (symmetries_[0] != nullptr) {
      const uint64_t x = symmetries_[0]->class_of(both.packed[0]);
      const uint64_t y = symmetries_[1]->class_of(both.packed[1]);
      if (classes_.emplace(x, y).first->second != y ||
          other_classes_.emplace(y, x).first->second != x) {
        problem_ = "other states are alike";
      }
    }
    if (fresh && problem_.empty()) queue_.push_back(std::move(both));
  }

  void step(const Pair& both) {
    std::vector<Choice> choices[2];
    for (size_t i = 0; i < 2; ++i) explorers_[i]->enumerate(both.packed[i], choices[i]);
    if (choices[0].size() != choices[1].size()) {
      problem_ = "another number of actions";
      return;
    }
    bool terminal = true;
    for (const Choice& choice : choices[0]) terminal = terminal && !choice.progress;
    Judgement judgements[2];
    for (size_t i = 0; i < 2; ++i) explorers_[i]->judge(both.packed[i], terminal, judgements[i]);
    differ("judged", words(judgements[0]), words(judgements[1]));
    differ("shown", words(explorers_[0]->observe(both.packed[0])),
           words(explorers_[1]->observe(both.packed[1])));
    for (const bool side : {false, true})
      within_[side] = explorers_[side]->within(both.packed[side]);
    if (within_[0] != within_[1]) problem_ = "another constraint";
    if (!within_[0]) return;
    for (size_t c = 0; c < choices[0].size() && problem_.empty(); ++c) {
      const Choice& x = choices[0][c];
      const Choice& y = choices[1][c];
      if (x.kind != y.kind || x.progress != y.progress || x.fails != y.fails || x.sort != y.sort) {
        problem_ = "another action";
        return;
      }
      differ("a step", words(explorers_[0]->detail(both.packed[0], x)),
             words(explorers_[1]->detail(both.packed[1], y)));
      if (x.fails) continue;
      Pair next;
      const uint64_t a = explorers_[0]->apply(
          both.packed[0], explorers_[0]->fingerprint(both.packed[0]), x, next.packed[0]);
      const uint64_t b = explorers_[1]->apply(
          both.packed[1], explorers_[1]->fingerprint(both.packed[1]), y, next.packed[1]);
      meet(std::move(next), a, b);
    }
  }

  std::shared_ptr<Symmetry> symmetries_[2];  // where classes are compared
  std::shared_ptr<StateSpace> spaces_[2];
  std::unique_ptr<Explorer> explorers_[2];
  std::map<uint64_t, uint64_t> states_;
  std::map<uint64_t, uint64_t> others_;
  std::map<uint64_t, uint64_t> classes_;
  std::map<uint64_t, uint64_t> other_classes_;
  std::deque<Pair> queue_;
  std::string problem_;
  bool within_[2] = {};
};

// Every trace of the one form replays in the other.
inline std::string replay_elsewhere(const Result<Report>& report, const System& other,
                                    Covered& covered) {
  if (!report) return "";
  for (const Violation& violation : report->violations) {
    if (!violation.trace) continue;
    const auto replayed = replay(other, *violation.trace);
    if (!replayed) return "a trace does not replay: " + replayed.error().message;
    if (!replayed->reproduced) return "a trace is not reproduced: " + replayed->why;
    ++covered.traces;
  }
  return "";
}

// What is not the same in both forms; "": nothing.
inline std::string compare_forms(uint64_t seed, Purpose purpose, Covered& covered) {
  Case compiled = generate(seed, purpose);
  purpose.made = true;
  Case made = generate(seed, purpose);
  if (purpose.alike) {
    for (System* system : {&compiled.system, &made.system}) {
      for (const auto& group : compiled.alike) system->alike(group);
    }
    if (compiled.alike.empty()) return "";
  }
  if (compiled.features != made.features) return "another system";
  BothForms walk(compiled.system, made.system, purpose.alike);
  if (std::string problem = walk.walk(kMostWalked); !problem.empty()) return problem;
  ++covered.systems;
  covered.states += walk.states();
  covered.features.insert(made.features.begin(), made.features.end());
  if (seed % kCheckedEvery != 0) return "";
  std::vector<Options> all = {
      {.strategy = "bfs", .threads = 1, .max_states = 2000, .keep_going = true, .states = true},
      {.strategy = "bfs", .threads = 2, .max_states = 2000},
      {.strategy = "dfs", .threads = 1, .max_states = 2000, .keep_going = true},
      {.strategy = "random", .threads = 1, .seed = 3, .max_depth = 40, .max_runs = 10},
      {.strategy = "prefix", .threads = 1, .max_depth = 20, .max_runs = 50}};
  if (purpose.local) {
    all.push_back({.strategy = "dpor", .threads = 1, .max_depth = 20, .max_runs = 50});
    all.push_back({.strategy = "bfs", .threads = 1, .max_states = 2000, .reduce = "sleep"});
  }
  if (purpose.alike && walk.states() < kMostWalked) {
    all.push_back({.strategy = "bfs", .threads = 1, .symmetry = true, .keep_going = true});
  }
  for (const Options& options : all) {
    const Result<Report> one = check(compiled.system, options);
    const Result<Report> other = check(made.system, options);
    const std::string a = words(one, options);
    const std::string b = words(other, options);
    if (a != b) return options.strategy + ":\ncompiled: " + a + "\nmade: " + b;
    if (options.symmetry) continue;
    std::string problem = replay_elsewhere(one, made.system, covered);
    if (problem.empty()) problem = replay_elsewhere(other, compiled.system, covered);
    if (!problem.empty()) return options.strategy + ": " + problem;
  }
  return "";
}

std::string problem_with_forms(uint64_t systems, const Purpose& purpose, Covered& covered) {
  for (uint64_t seed = 0; seed < systems; ++seed) {
    const std::string problem = compare_forms(seed, purpose, covered);
    if (!problem.empty()) return "seed " + std::to_string(seed) + ": " + problem;
  }
  return "";
}

}  // namespace ordeal::oracle
