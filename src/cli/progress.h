// Progress on standard error while a search runs: one line that changes on a terminal, a plain line
// now and then elsewhere.
#pragma once

#include <string>

#include "ordeal/check.h"

namespace ordeal::cli {

std::string progress_line(const Progress& progress);

class ProgressPrinter {
 public:
  enum class Mode { kNone, kTerminal, kPlain };

  // `when`: auto, always, never.
  static Mode mode_for(const std::string& when);
  // REQUIRES: outlives the check that calls it.
  ProgressPrinter(Mode mode, double plain_interval) : mode_(mode), interval_(plain_interval) {}
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  void operator()(const Progress& progress);
  // Any line; `seconds` since the beginning.
  void operator()(double seconds, const std::string& line);

 private:
  Mode mode_;
  double interval_;
  double last_ = 0;
  bool shown_ = false;
};

}  // namespace ordeal::cli
