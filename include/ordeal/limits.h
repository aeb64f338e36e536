// How long user code may take. One call of a handler, a property, a constraint, a factory or a
// builder that takes longer counts as one that does not return: a violation with its run, or an
// error that names it.
//
// What counts is time in which the call computes or sleeps, not time in which it waits for a core.
// The limit is the process's, and not an option of one check, because whatever runs the same code
// again (replay(), a live run, a trace that is recorded) must come to the same verdict.
#pragma once

namespace ordeal {

inline constexpr double kDefaultCallSeconds = 10;

// 0: as long as it likes. REQUIRES: 0 or more.
void limit_calls(double seconds);
double call_limit();

}  // namespace ordeal
