// Reads logs of a register, as Jepsen wrote them for etcd, into typed operations. See
// history_file.h for the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "history/history_judge.h"
#include "ordeal/result.h"

namespace ordeal {

using EtcdSpec = RegisterSpec<std::optional<int64_t>>;

// Errors name the file, the line and the field, what was found there and what would be right.
Result<RecordedHistory<EtcdSpec>> parse_etcd_history(const std::string& name,
                                                     std::string_view text);

}  // namespace ordeal
