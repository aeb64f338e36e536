// The product of a system with a scenario, for stateful search. A packed state is the id of an
// interned context, then the words of the system's state.
#pragma once

#include <memory>

#include "system/scenario/product.h"

namespace ordeal::monitor {

using Report = std::function<void(const Tally&)>;

// `report` is told what each explorer has counted, when it is done; from any thread.
std::shared_ptr<StateSpace> product_space(std::shared_ptr<const Monitor> monitor,
                                          std::shared_ptr<StateSpace> system, Report report);

}  // namespace ordeal::monitor
