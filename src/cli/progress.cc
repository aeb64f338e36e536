#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.h"
#include "cli/output.h"

namespace ordeal::cli {
namespace {

constexpr double kTerminalInterval = 0.2;
constexpr size_t kTerminalWidth = 110;

}  // namespace

std::string progress_line(const Progress& progress) {
  std::string line = seconds_text(progress.seconds) + ": ";
  const uint64_t states = progress.distinct > 0 ? progress.distinct : progress.states;
  if (progress.runs > 0) line += fmt::format("{}, ", counted(progress.runs, "run"));
  line += counted(states, "state");
  if (progress.seconds > 0.01) {
    const double rate = static_cast<double>(states) / progress.seconds;
    line += fmt::format(" ({}/s)", grouped(static_cast<uint64_t>(rate)));
  }
  line += fmt::format(", depth {}", grouped(progress.depth));
  if (progress.queue > 0) line += fmt::format(", {} waiting", grouped(progress.queue));
  if (progress.bytes > 0) line += ", " + bytes_text(progress.bytes);
  if (progress.violations > 0) line += ", " + counted(progress.violations, "violation");
  if (!progress.doing.empty()) line += ", " + progress.doing;
  return line;
}

ProgressPrinter::Mode ProgressPrinter::mode_for(const std::string& when) {
  if (when == "never") return Mode::kNone;
  const char* terminal = std::getenv("TERM");
  const bool can_move = terminal != nullptr && std::string(terminal) != "dumb";
  return isatty(STDERR_FILENO) != 0 && can_move ? Mode::kTerminal : Mode::kPlain;
}

ProgressPrinter::~ProgressPrinter() {
  if (shown_ && mode_ == Mode::kTerminal) print_error_over("");
}

void ProgressPrinter::operator()(const Progress& progress) {
  (*this)(progress.seconds, progress_line(progress));
}

void ProgressPrinter::operator()(double seconds, const std::string& line) {
  const double interval = mode_ == Mode::kTerminal ? kTerminalInterval : interval_;
  if (mode_ == Mode::kNone || seconds - last_ < interval) return;
  last_ = seconds;
  shown_ = true;
  if (mode_ == Mode::kTerminal) {
    print_error_over(cut_to(line, kTerminalWidth));
  } else {
    print_error(line + "\n");
  }
}

}  // namespace ordeal::cli
