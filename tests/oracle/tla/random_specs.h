// Random specifications of TLA+: a few variables of small domains, named actions with parameters,
// and everything that a configuration may say about them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/oracle/tla/random_expressions.h"

namespace ordeal::oracle::naive {

struct RandomSpec {
  std::string module, config;  // Spec.tla, Spec.cfg
  // What the configuration says, by the names of definitions.
  std::vector<std::string> invariants, initially, on_steps, constraints, action_constraints;
  std::string view;
  bool symmetry = false;             // all ways to rename m1, m2 and m3
  bool deadlock = true;              // is asked about
  std::vector<std::string> domains;  // definitions: what each variable is expected to be in
  bool total = true;                 // nothing in it has no value
  std::set<std::string> features;
};
RandomSpec random_spec(uint64_t seed);
const std::vector<std::string>& all_spec_features();

}  // namespace ordeal::oracle::naive
