// Checkpoints: what a search needs to go on after it was killed, in a file.
//
// A checkpoint holds contents, no accidents of the process: fingerprints, and for every waiting
// state the way it was reached, as choice indexes. Resuming takes those ways again and compares
// fingerprints, so that a program whose handlers have changed is found out. The file is written
// aside, synced and renamed: there is always a whole one, or none. A hash over all of it tells a
// torn or damaged file from a whole one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "explore/search/identity.h"
#include "explore/search/search_state.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// `steps`: what was taken how often, by name (explore/strategy/coverage.h).
Result<void> write_checkpoint(const std::string& path, const Identity& identity,
                              const SearchState& state,
                              const std::map<std::string, uint64_t>& steps, bool notes);

// False: there is no such file. An Error: it is none, is damaged, or is of another search.
// REQUIRES: `state` is new.
Result<bool> read_checkpoint(const std::string& path, const Identity& identity, StateSpace& space,
                             const std::vector<StateSpace::Initial>& roots, const Options& options,
                             SearchState& state, bool notes);

void remove_checkpoint(const std::string& path);

}  // namespace ordeal::explore
