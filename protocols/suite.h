// All subjects: real protocols, each in its correct form and with planted bugs.
#pragma once

#include "ordeal/suite.h"

namespace ordeal::protocols {

Suite suite();

}  // namespace ordeal::protocols
