// The planted bugs of a suite as contests: each with the parameters, or under the scenario, with
// which it shows.
#pragma once

#include <string>
#include <vector>

#include "cli/subject.h"
#include "ordeal/compare.h"
#include "ordeal/suite.h"

namespace ordeal::cli {

struct ContestChoice {
  std::vector<std::string> subjects = {};  // names; empty: all
  std::string bug = {};                    // only the one of this name; "": all
  bool bare =
      false;  // those of a scenario also without it, where a property of the subject sees them
};

// An Error: there is no such subject or bug, or a bug does not say rightly how it shows.
// REQUIRES: the suite outlives the contests.
Result<std::vector<Contest>> contests_of(const Suite& suite, const ContestChoice& choice);

}  // namespace ordeal::cli
