// Between runs and the numbers of their choices, beside what ordeal/trace.h has.
#pragma once

#include <string>

#include "ordeal/trace.h"

namespace ordeal::trace {

ShortForm way_of(const Trace& trace);
std::string short_form(const ShortForm& way);

}  // namespace ordeal::trace
