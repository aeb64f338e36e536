// Makes the table of a finite model small before it is searched.
#pragma once

#include "ordeal/detail/linear_check.h"

namespace ordeal::detail {

// Joins states that no sequence of the operations can tell apart (values that nobody looks at), and
// then kinds that do the same in every state. Leaves the model alone where that is too much work.
void reduce(FiniteModel& model);

}  // namespace ordeal::detail
