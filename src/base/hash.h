// Mixing and hashing of 64-bit words and bytes: see ordeal/detail/hash.h, which user programs need
// as well.
#pragma once

#include "ordeal/detail/hash.h"
