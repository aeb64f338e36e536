// The bugs planted in a subject: what the user is told of each, beside the word that the protocol's
// code has for it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "ordeal/context.h"
#include "ordeal/suite.h"

namespace ordeal::protocols {

// `Planted` is an enumeration with kNone.
template <class Planted>
class PlantedBugs {
 public:
  struct One {
    Planted planted;
    Bug bug;
  };

  PlantedBugs(std::initializer_list<One> all) : all_(all) {
    for (auto one = all_.begin(); one != all_.end(); ++one) {
      const bool is_new = std::none_of(all_.begin(), one, [&](const One& before) {
        return before.planted == one->planted || before.bug.name == one->bug.name;
      });
      ORDEAL_ASSERT(is_new);  // in every build: a bug that is another one would be found, too
    }
  }

  // As a subject declares them.
  std::vector<Bug> bugs() const {
    std::vector<Bug> out;
    for (const One& one : all_) out.push_back(one.bug);
    return out;
  }

  // The one that the user asked for.
  Planted asked(const Arguments& args) const {
    for (const One& one : all_) {
      if (args.bug(one.bug.name)) return one.planted;
    }
    return Planted::kNone;
  }

 private:
  std::vector<One> all_;
};

}  // namespace ordeal::protocols
