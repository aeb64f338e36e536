// The options of strategies in a comparison, in the form that strategies know.
#pragma once

#include "ordeal/check.h"
#include "ordeal/compare.h"

namespace ordeal::explore {

Options settings_of(const CompareOptions& options);
void give_settings(const Options& settings, CompareOptions& options);

}  // namespace ordeal::explore
