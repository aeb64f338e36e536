// Reads the two formats of recorded histories into typed operations. See history_file.h for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/detail/linear_check.h"
#include "ordeal/result.h"

namespace ordeal {

using EtcdSpec = RegisterSpec<std::optional<int64_t>>;

template <SequentialSpec Spec>
struct RecordedHistory {
  struct Origin {
    int64_t process = 0;
    size_t call_line = 0;
    size_t return_line = 0;  // 0: it never returned
  };
  std::vector<Origin> origins;  // parallel to the operations
  detail::SpecOps<Spec> ops;
};

// Errors name the file, the line and the field, what was found there and what would be right.
Result<RecordedHistory<EtcdSpec>> parse_etcd_history(const std::string& name,
                                                     std::string_view text);
Result<RecordedHistory<KeyValueSpec>> parse_kv_history(const std::string& name,
                                                       std::string_view text);

// For messages: in quotes, shortened, with everything unprintable escaped.
std::string quoted_for_message(std::string_view text);

}  // namespace ordeal
