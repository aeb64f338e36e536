// What check() makes sure of before it begins: that its options make sense, by themselves and for
// this subject, and that the strategy may claim what the subject asks for.
#pragma once

#include <memory>

#include "explore/strategy/strategy.h"
#include "ordeal/check.h"

namespace ordeal::explore {

struct Prepared {
  Options options;  // with the strategy that is taken
  const Strategy* strategy = nullptr;
  std::shared_ptr<StateSpace> space;  // null: states cannot be saved
};

// As ordeal::prepare(), but for what exploring finds out anyway: it runs nothing of the subject's.
Result<Prepared> prepared(const Checkable& subject, const Options& options);

// An Error: the strategy explores everything, and what happens in this world is not in its states.
Result<void> may_enumerate(const Strategy& strategy, const World& world);

}  // namespace ordeal::explore
