// Reads a history in EDN into events, and pairs what was called with what came back. What the
// operations mean is no business of this part: see history_models.h.
//
// An event is a map, on a line of its own or among others, in a vector or not, with or without a
// tag before it. :process, :type and :f must be there; :value, :key and :index may be; whatever
// else is there (:time, :error, …) is passed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "history/edn.h"
#include "ordeal/result.h"

namespace ordeal {

struct EdnEvent {
  enum class Type : uint8_t { kInvoke, kOk, kFail, kInfo };
  static constexpr edn::Id kAbsent = UINT32_MAX;

  Type type = Type::kInvoke;
  int64_t process = 0;
  edn::Id f = kAbsent;  // a keyword
  // Of a pair [key value] each has its part.
  edn::Id key = kAbsent;
  edn::Id value = kAbsent;
  edn::Position at, f_at, key_at, value_at;

  bool has_key() const { return key != kAbsent; }
  bool has_value() const { return value != kAbsent; }
};

// That took effect, or may have. REQUIRES: the events of the history stay in place.
struct EdnOperation {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t invoked = 0;       // numbers of events
  uint32_t returned = kNone;  // with :ok; none: it ended with :info or not at all
};

struct EdnHistory {
  std::string name;  // of the file
  edn::Values values;
  std::vector<EdnEvent> events;          // of clients
  std::vector<EdnOperation> operations;  // in order of call
  size_t failed = 0;                     // operations that ended with :fail: they did not happen
  size_t left_out = 0;                   // events of what is no client
  std::vector<edn::Id> not_clients;      // who had those
  bool one_event_a_line = true;

  Error error(const edn::Position& at, std::string_view field, const std::string& what) const;
};

// `pairs`: each value is a pair [key value]. Errors name the file, the line, the column and the
// field, what was found there and what would be right.
Result<EdnHistory> read_edn_history(const std::string& name, std::string_view text, bool pairs);

}  // namespace ordeal
