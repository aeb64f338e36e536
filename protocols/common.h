// What the subjects share: the parameters of the environment (faults, links, failure detector), how
// they become part of a system, and what may be claimed under them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ordeal/suite.h"
#include "ordeal/system.h"

namespace ordeal::protocols {

// Which of the common parameters a subject takes.
struct Environment {
  std::string detector;         // the default of --detector; empty: the protocol asks no detector
  bool recoveries = false;      // it keeps what it must on disk
  std::string network = "bag";  // the default of --network
};

// The subject's own parameters, followed by those of the environment.
std::vector<Parameter> with_environment(std::vector<Parameter> own, const Environment& environment);

// The nodes that --crash may name.
struct MayCrash {
  int first = 1;
  int last = 0;
  std::string what = "nodes";
};

// Declares the environment that the user asked for. An Error says which parameters do not fit.
Result<void> apply_environment(const Arguments& args, const MayCrash& may_crash, System& system);

// How time passes: not at all, in order, or promptly.
Parameter time_parameter();
void apply_time(const Arguments& args, System& system);

// Whether the parameter has a value: it was given, or has a default.
bool has_value(const Arguments& args, const std::string& name);
int number_or(const Arguments& args, const std::string& name, int fallback);

// Nothing that was sent gets lost. Without that, no protocol here promises to terminate.
bool links_are_reliable(const Arguments& args);
// How many crashes a run may have.
int crash_budget(const Arguments& args);
// Every node that is up hears of every crash, and of nothing else.
bool detector_is_right(const Arguments& args);

Result<std::unique_ptr<Checkable>> built(System system);

// Declares nodes first … last alike; those that may crash and those that may not are of two kinds.
void declare_alike(const Arguments& args, int first, int last, System& system);

}  // namespace ordeal::protocols
