// Recorded histories: files that say what clients called and what came back, checked for
// linearizability.
//
//   Result<HistoryVerdict> verdict = check_history_file("history.edn");
//   if (!verdict) { std::cerr << verdict.error().message; return 3; }
//   std::cout << render(*verdict);
//
// Two formats, told apart by how they begin. EDN, as Jepsen writes it, for the objects that
// history_models() lists:
//
//   {:process 0, :type :invoke, :f :write, :value 1}
//   {:process 0, :type :ok, :f :write, :value 1}
//
// `:fail` ends what did not happen. What ends with `:info` may take effect at any later time, or
// never, and its process ends with it. Processes that are no numbers are no clients; their events
// are left out, and counted.
//
// And logs of a register with read, write and compare-and-swap, nil at first:
//
//   INFO  jepsen.util - 3  :invoke  :cas  [1 2]
//   INFO  jepsen.util - 3  :fail    :cas  [1 2]
//
// There `:fail :cas` is a compare-and-swap that found another value, `:fail :read` ends a read
// whose result got lost, and a process may start another operation after `:info`.
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

enum class HistoryFormat { kAuto, kEtcd, kEdn };

struct HistoryOptions {
  HistoryFormat format = HistoryFormat::kAuto;
  LinearLimits limits{std::chrono::seconds(60), size_t{640} << 20};
  // The rest is about EDN alone.
  std::string model;                   // one of history_models(); empty: as the functions tell
  std::optional<std::string> initial;  // what a register holds at first, in EDN
  bool independent = false;            // each value is a pair [key value]
  bool nil_is_unknown = false;         // a read that returned nil may have read anything
};

// What an object is that operations in EDN are about.
struct HistoryModel {
  std::string_view name;
  std::string_view what;
  std::vector<std::string_view> functions;  // without the colon
};
const std::vector<HistoryModel>& history_models();

struct RecordedPlace {
  size_t line = 0;    // 0: nowhere
  size_t column = 0;  // 0: the line has nothing else
};
std::string to_string(const RecordedPlace& place);  // "3", "3:25"

struct RecordedOperation {
  int64_t process = 0;
  RecordedPlace called;
  RecordedPlace returned;  // nowhere: it never returned
  std::string call;        // "cas 1 -> 2", "get \"k\""
  std::string result;      // "ok", "failed", "3"; empty: unknown
};

struct HistoryVerdict {
  LinearVerdict verdict = LinearVerdict::kLinearizable;
  HistoryFormat format = HistoryFormat::kAuto;
  std::string model;
  size_t processes = 0;
  size_t keys = 0;                            // 0: the operations have none
  std::vector<RecordedOperation> operations;  // in order of call
  size_t failed = 0;                          // operations that did not happen, and are not there
  size_t left_out = 0;                        // events of what is no client
  std::vector<std::string> not_clients;       // who had those

  // Operations (indices) in an order that works. When there is none: the longest such order found
  // for a part of the history, of one key where there are keys.
  std::vector<size_t> order;

  // When there is no order: the states after each operation of the longest one; what could not be
  // placed after it, the first to return first.
  std::vector<std::string> states;
  std::vector<size_t> unplaced;
  std::string explanation;
  // Then, too: operations that have no order together, whatever the others did, in order of call.
  // Each is needed for that, unless looking for fewer was given up.
  std::vector<size_t> core;
  bool core_is_minimal = true;
  std::string part;   // "on that key": what the longest order is about, if not all
  std::string thing;  // "register": what has the states

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
