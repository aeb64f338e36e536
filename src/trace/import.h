// Runs that other programs have logged, as traces: to look at, not to replay.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/trace.h"

namespace ordeal {

struct ImportOptions {
  // "trace" (Ordeal's own), "shiviz" (a log with vector clocks), "maelstrom" (messages, or a
  // journal of sending and receiving, in JSON or EDN); "auto": by what the text looks like.
  std::string format = "auto";
  // ShiViz: the expression with the groups host, clock and event, and the one between executions,
  // instead of those that the log begins with.
  std::string parser = {};
  std::string delimiter = {};
  uint32_t execution = 1;  // which of several, from 1
  std::string name = {};   // what the run is called; "": by its format
};

// Hostile input is fine: the Error names the line, says what was found there and what would be
// right. What is worth knowing about the log (other executions, lines that are no events) is added
// to `notes`, one sentence each.
Result<Trace> import_run(std::string_view text, const ImportOptions& options = {},
                         std::vector<std::string>* notes = nullptr);

// The run in a file of any format, called by the file's name. The Error begins with the path.
Result<Trace> read_run(const std::string& path);

namespace trace {

// The same for one format each. Hosts and nodes are numbered from 1.
Result<Trace> import_shiviz(std::string_view text, const ImportOptions& options,
                            std::vector<std::string>& notes);
Result<Trace> import_maelstrom(std::string_view text, const ImportOptions& options,
                               std::vector<std::string>& notes);

// More hosts could not be read back from a file.
inline constexpr size_t kMostHosts = 900;
inline constexpr size_t kMostEvents = 2'000'000;

// A piece of a log in a sentence about it.
std::string in_quotes(std::string_view text);

}  // namespace trace
}  // namespace ordeal
