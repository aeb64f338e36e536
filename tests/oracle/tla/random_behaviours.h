// Random specifications with fairness, and random formulas about their behaviours: as text in many
// forms, and as a tree that says the same.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ordeal::oracle::naive {

struct Behaviour {
  enum class Is : uint8_t {
    kState,  // a definition about a state
    kStep,   // <<A>>_v
    kNot,
    kAnd,
    kOr,
    kAlways,
    kEventually,
  };
  Is is = Is::kState;
  std::string name = {};               // of the definition
  std::vector<size_t> subscript = {};  // numbers of variables
  std::vector<Behaviour> parts = {};
};

struct RandomBehaviours {
  struct Fair {
    Behaviour taken;
    bool strong = false;
  };
  struct Claim {
    std::string name;
    Behaviour formula;
  };
  std::string module, config;
  std::string instantiated;  // Abstract.tla
  std::vector<Fair> fair;
  std::vector<Behaviour> assumed;
  std::vector<Claim> claims;
  bool constraint = false;  // the definition Within
  std::set<std::string> features;
};
RandomBehaviours random_behaviours(uint64_t seed);
const std::vector<std::string>& all_behaviour_features();

}  // namespace ordeal::oracle::naive
