// The parts that the library is put together from.
#pragma once

#include <span>
#include <string_view>

#include "language/tla/library/library.h"

namespace ordeal::tla {

std::span<const Builtin> naturals_operators();
std::span<const Builtin> integers_operators();
std::span<const Builtin> reals_operators();
std::span<const Builtin> sequences_operators();
std::span<const Builtin> finite_sets_operators();
std::span<const Builtin> bags_operators();
std::span<const Builtin> tlc_operators();

}  // namespace ordeal::tla
