// What a formula is about, where its names have values.
#pragma once

#include <string>
#include <vector>

#include "language/tla/eval/bindings.h"
#include "language/tla/eval/nodes.h"
#include "language/tla/syntax/source.h"
#include "ordeal/liveness.h"

namespace ordeal::tla {

// A definition without parameters that stands in no frame; null: it is something else.
const CallNode* plain_call(const Node& node);

// The level of a formula with what is passed for the parameters in it.
Level level_of(const Node& node, Frame* frame);

// What a formula about a step is of steps that change nothing.
enum class WhenStill : uint8_t { kFalse, kTrue, kDepends };
WhenStill when_still(Machine& m, const Node& node, Frame* frame);

// The text at a place, in one line.
std::string written(const Sources& sources, const Place& place);

// Formulas, without what has no say in them.
Formula both(std::vector<Formula> parts, bool is_and);
Formula opposite(Formula of);
Formula ever(Formula of, bool always);

}  // namespace ordeal::tla
