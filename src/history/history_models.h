// What operations in EDN mean, for each kind of object: typed operations from events, and words for
// them.
#pragma once

#include "history/history_edn.h"
#include "history/history_file.h"
#include "ordeal/result.h"

namespace ordeal {

// REQUIRES: the model of the options is empty or one of history_models().
Result<HistoryVerdict> check_edn_history(EdnHistory& history, const HistoryOptions& options);

}  // namespace ordeal
