// Compares engine and reference over many generated systems, and counts what was covered.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ordeal/action.h"

namespace ordeal::oracle {

struct SuiteOptions {
  uint64_t first_seed = 0;
  uint64_t systems = 1000;  // to compare; those that are too large do not count
  uint64_t cap = 1000;      // states
  bool stop_early = false;  // at the first disagreement
};

struct SuiteResult {
  uint64_t compared = 0;
  uint64_t too_large = 0;
  uint64_t cannot_start = 0;
  uint64_t states = 0;
  uint64_t transitions = 0;
  uint64_t cycles = 0;
  uint64_t rounds = 0;
  uint64_t failing = 0;  // systems in which a handler can fail
  uint64_t traces = 0;   // replayed
  uint64_t prefix_completed = 0;
  std::map<std::string, uint64_t> features;
  std::map<ActionKind, uint64_t> kinds;
  std::map<std::string, uint64_t> verdicts;
  std::vector<std::string> disagreements;  // each with its seed
};

SuiteResult run_suite(const SuiteOptions& options);

// What was never covered: it must be nothing.
std::vector<std::string> uncovered(const SuiteResult& result);

void print(const SuiteResult& result);

}  // namespace ordeal::oracle
