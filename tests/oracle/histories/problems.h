// What can be wrong with verdicts about histories, as functions that tell the first problem they
// see, or "": for tests, and for those that break the engine on purpose (tests/oracle/mutants).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "history/history_file.h"
#include "tests/oracle/histories/naive_objects.h"
#include "tests/oracle/histories/recorder.h"

namespace ordeal::histories {

// Random histories, half of them with results that are anything: what `check_history_text` says,
// against what trying every order says. Both answers must occur often, or the comparison says
// little. A wrong verdict comes before what else is wrong.
inline std::string problem_with_random_histories(const NaiveObject& object, uint64_t seed,
                                                 int cases) {
  HistoryOptions options;
  options.model = object.model();
  options.independent = object.has_pairs();
  options.nil_is_unknown = object.nil_is_unknown();
  if (!object.initial_text().empty()) options.initial = object.initial_text();
  int spoiled = 0, good = 0;
  std::string otherwise;
  Rng rng(seed);
  for (int i = 0; i < cases; ++i) {
    const uint64_t wrong = i % 2 == 0 ? 0 : 3, lost = i % 4 < 2 ? 0 : 3;
    const uint64_t clients = 1 + rng.below(4), operations = 1 + rng.below(8);
    const Recorded recorded = Recorder(object, rng, clients, operations, wrong, lost).record();
    NaiveSearch naive(object, recorded.operations);
    const bool expected = naive.finds_an_order();
    if (wrong == 0 && !expected) return "no order of what happened:\n" + recorded.text;
    spoiled += wrong != 0 ? 1 : 0;
    good += wrong != 0 && expected ? 1 : 0;

    const Result<HistoryVerdict> verdict = check_history_text("h.edn", recorded.text, options);
    if (!verdict) return verdict.error().message + "\n" + recorded.text;
    const auto told = [&](const std::string& what) {
      return object.model() + ": " + what + "\n" + recorded.text + render(*verdict);
    };
    if (verdict->verdict == LinearVerdict::kUndecided) return told("undecided");
    const bool found = verdict->verdict == LinearVerdict::kLinearizable;
    if (found && !expected) return told("found linearizable, but no order explains the results");
    if (!found && expected) return told("found not linearizable, but there is an order");
    if (!otherwise.empty()) continue;
    if (verdict->operations.size() != recorded.operations.size() ||
        verdict->failed != recorded.failed || verdict->left_out != recorded.left_out) {
      otherwise = told("wrong numbers of operations, or of what is none");
    } else if (!naive.explains(verdict->order, expected)) {
      otherwise = told("the order that it tells explains nothing");
    }
  }
  if (!otherwise.empty()) return otherwise;
  if (good > spoiled / 20 && good < spoiled - spoiled / 20) return "";
  return object.model() + ": of " + std::to_string(spoiled) + " histories " + std::to_string(good) +
         " have an order: the comparison says little";
}

inline std::string problem_with_histories(int cases) {
  const NaiveRegister plain(false), cas(true);
  const NaiveDoubtfulRegister doubtful;
  const NaivePairs pairs;
  const NaiveRegisters registers;
  const NaiveMutex mutex;
  const NaiveQueue few(true, 2), some(true, 4), distinct(true, 1000), bag(false, 2);
  const NaiveQueue large_bag(false, 1000);
  const NaiveSet set;
  uint64_t seed = 0;
  for (const NaiveObject* object : std::initializer_list<const NaiveObject*>{
           &plain, &cas, &doubtful, &pairs, &registers, &mutex, &few, &some, &distinct, &bag,
           &large_bag, &set}) {
    const std::string problem = problem_with_random_histories(*object, seed += 100, cases);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace ordeal::histories
