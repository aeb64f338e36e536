// What became of a log that was held against a model.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::conform {

// Where the log says one thing, and the model another.
struct Difference {
  std::string what;  // "currentTerm[event.node]", "argument i", "action", "node", "state.term"
  std::string log;
  std::string model;  // "": something else
};

// A step that the model would have allowed, or one that the line stands for and that is not
// enabled.
struct Near {
  std::string step;
  std::vector<Difference> differs;
  std::vector<std::string> why;  // it is not enabled: what is false there
};

struct Departure {
  uint64_t line = 0;
  std::string event;                    // the line, shortened
  std::vector<std::string> stands_for;  // the steps that the model was asked for
  uint64_t states = 0;                  // that the model could be in before
  std::vector<Near> nearest;            // the nearest first
};

struct UnreadLine {
  uint64_t line = 0;
  std::string why;
};

struct Conformance {
  std::string model;             // the specification, or the system
  std::optional<bool> conforms;  // none: it cannot be said
  std::string why;               // it cannot be said
  uint64_t lines = 0;            // of the log, read or not
  uint64_t conforming = 0;       // the longest prefix that conforms, in lines
  uint64_t events = 0;           // lines that stand for something, of those
  uint64_t ignored = 0;          // lines that stand for nothing
  uint64_t unread = 0;
  std::vector<UnreadLine> unread_lines;  // the first of them
  std::optional<Departure> departure;
  // How many states the model could be in: behind a line, the most, where, and the mean.
  uint64_t frontier = 0, most = 0, most_at = 0;
  double mean = 0;
  bool cut = false;                // there were more than were kept
  bool stopped = false;            // by who called
  std::vector<std::string> notes;  // what is worth knowing about the log
  double seconds = 0;
};

struct LogProgress {
  double seconds = 0;
  uint64_t lines = 0, bytes = 0;
  uint64_t frontier = 0;
};

struct ConformOptions {
  uint64_t max_frontier = 10'000;  // states that are kept behind a line
  size_t nearest = 5;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const LogProgress&)> progress = {};
};

// For a terminal; `name`: what the log is called.
std::string to_text(const Conformance& found, const std::string& name);
std::string to_json(const Conformance& found);
std::string progress_line(const LogProgress& progress);

}  // namespace ordeal::conform
