// Recorded histories: files that say what clients called and what came back, checked for
// linearizability.
//
//   Result<HistoryVerdict> verdict = check_history_file("etcd_000.log");
//   if (!verdict) { std::cerr << verdict.error().message; return 3; }
//   std::cout << render(*verdict);
//
// Two formats, told apart by their first line:
//
//   INFO  jepsen.util - 3  :invoke  :cas  [1 2]      a register with read, write and
//   INFO  jepsen.util - 3  :fail    :cas  [1 2]      compare-and-swap, nil at first
//
//   {:process 9, :type :invoke, :f :append, :key "0", :value "x"}    a map from keys to strings
//   {:process 9, :type :ok, :f :append, :key "0", :value "x"}        with put, append and get
//
// `:info` ends nothing: the operation may take effect at any later time, or never; the process may
// start another one. `:fail :cas` is a compare-and-swap that found another value; `:fail :read` and
// `:fail :get` end a read whose result got lost.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/detail/linear_search.h"
#include "ordeal/result.h"

namespace ordeal {

enum class HistoryFormat { kAuto, kEtcd, kKeyValue };

struct HistoryOptions {
  HistoryFormat format = HistoryFormat::kAuto;
  LinearLimits limits{std::chrono::seconds(60), size_t{640} << 20};
};

struct RecordedOperation {
  int64_t process = 0;
  size_t call_line = 0;
  size_t return_line = 0;  // 0: it never returned
  std::string call;        // "cas 1 -> 2", "get \"k\""
  std::string result;      // "ok", "failed", "3"; empty: unknown
};

struct HistoryVerdict {
  LinearVerdict verdict = LinearVerdict::kLinearizable;
  HistoryFormat format = HistoryFormat::kAuto;
  size_t processes = 0;
  size_t keys = 0;                            // of a key-value history
  std::vector<RecordedOperation> operations;  // in order of call

  // Operations (indices) in an order that works. When there is none: the longest such order found
  // for a part of the history, of one key where there are keys.
  std::vector<size_t> order;
  std::vector<std::string> states;  // after each operation of `order`

  // When there is no order: what could not be placed after `order`, the first to return first.
  std::vector<size_t> unplaced;
  std::string explanation;

  size_t configurations = 0;  // that the search looked at
};

Result<HistoryVerdict> check_history_file(const std::string& path,
                                          const HistoryOptions& options = {});

// The same for a text that is already in memory; `name` stands for the file in errors.
Result<HistoryVerdict> check_history_text(const std::string& name, std::string_view text,
                                          const HistoryOptions& options = {});

// For a terminal. Of an order longer than `max_steps`, the end is shown.
std::string render(const HistoryVerdict& verdict, size_t max_steps = 200);

}  // namespace ordeal
