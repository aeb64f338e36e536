#include "conform/log_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "language/tla/mapper/mapper.h"

namespace ordeal::conform {
namespace {

constexpr size_t kMostUnreadLines = 20;
constexpr size_t kShownEvent = 400;  // columns
constexpr uint64_t kBetweenLooks = 64;

class LogWalk {
 public:
  LogWalk(std::istream& log, LogModel& model, const ConformOptions& options)
      : log_(log), model_(model), options_(options) {}

  Result<Conformance> walk() {
    out_.model = model_.name();
    const Result<LogModel::Taken> begun = model_.start();
    if (!begun) return begun.error();
    note(*begun);
    see_frontier(0);
    while (!is_over() && next_line()) {
      if (wants_to_stop()) {
        --out_.lines;  // perhaps only a part of it was read
        break;
      }
      if (Result<void> read = take_line(); !read) return read.error();
      look_around(kBetweenLooks);
    }
    out_.stopped = wants_to_stop();
    if (is_over()) count_the_rest();
    judge();
    return std::move(out_);
  }

 private:
  bool wants_to_stop() const { return options_.stop != nullptr && options_.stop->load(); }
  bool is_over() const { return departed_ || out_.stopped || !lost_.empty(); }

  // False: there is none. What is too long is left out, and told.
  bool next_line() {
    line_.clear();
    too_long_ = false;
    std::streambuf* const from = log_.rdbuf();
    int c = from->sgetc();
    if (c == std::char_traits<char>::eof()) return false;
    for (; c != std::char_traits<char>::eof(); c = from->snextc()) {
      if (c == '\n') {
        from->sbumpc();
        break;
      }
      if (line_.size() < kLongestLine) {
        line_ += static_cast<char>(c);
      } else {
        too_long_ = true;
      }
    }
    bytes_ += line_.size() + 1;
    ++out_.lines;
    return true;
  }

  Result<void> take_line() {
    const bool is_blank = line_.find_first_not_of(" \t\r") == std::string::npos;
    if (is_blank) {
      out_.conforming = out_.lines;
      return {};
    }
    if (too_long_) return take_unread("it is longer than " + bytes_text(kLongestLine));
    const Result<Json> event = tla::parse_event(line_);
    if (!event) return take_unread(event.error().message);
    const Result<LogModel::Taken> taken = model_.take(*event, out_.lines);
    if (!taken) return Error{fmt::format("line {}: {}", out_.lines, taken.error().message)};
    note(*taken);
    if (taken->ignored) {
      ++out_.ignored;
      out_.conforming = out_.lines;
      return {};
    }
    if (model_.frontier() > 0) {
      ++out_.events;
      out_.conforming = out_.lines;
      see_frontier(out_.lines);
      return {};
    }
    depart(*taken);
    return {};
  }

  Result<void> take_unread(const std::string& why) {
    ++out_.unread;
    if (out_.unread_lines.size() < kMostUnreadLines) out_.unread_lines.push_back({out_.lines, why});
    const Result<LogModel::Taken> taken = model_.take_unread();
    if (taken) {
      note(*taken);
      if (!taken->trouble.empty()) is_guess_ = true;
    } else {
      is_guess_ = true;
    }
    out_.conforming = out_.lines;
    see_frontier(out_.lines);
    return {};
  }

  void depart(const LogModel::Taken& taken) {
    Departure departure;
    departure.line = out_.lines;
    departure.event = cut_to(one_line(line_), kShownEvent);
    model_.explain(departure, options_.nearest);
    out_.departure = std::move(departure);
    out_.frontier = 0;
    if (!taken.trouble.empty()) {
      lost_ =
          fmt::format("at line {} the model could not be evaluated: {}", out_.lines, taken.trouble);
    } else if (out_.cut) {
      lost_ = fmt::format(
          "at line {} no state is left, but before it there were more states than are kept ({}); "
          "--max-frontier keeps more",
          out_.lines, grouped(options_.max_frontier));
    } else if (is_guess_) {
      lost_ = fmt::format(
          "at line {} no state is left, but what happened at line {}, which cannot be read, is not "
          "known",
          out_.lines, out_.unread_lines[0].line);
    }
    departed_ = true;
  }

  void note(const LogModel::Taken& taken) { out_.cut = out_.cut || taken.cut; }

  void see_frontier(uint64_t line) {
    out_.frontier = model_.frontier();
    sum_ += static_cast<double>(out_.frontier);
    ++counted_;
    if (out_.frontier <= out_.most) return;
    out_.most = out_.frontier;
    out_.most_at = line;
  }

  void look_around(uint64_t every) {
    out_.stopped = wants_to_stop();
    if (!options_.progress || out_.lines % every != 0) return;
    options_.progress({seconds(), out_.lines, bytes_, out_.frontier});
  }

  // So that `lines` is how many there are.
  void count_the_rest() {
    while (!wants_to_stop() && next_line()) {
    }
  }

  void judge() {
    out_.mean = counted_ == 0 ? 0 : sum_ / static_cast<double>(counted_);
    out_.notes = model_.notes();
    out_.seconds = seconds();
    if (!lost_.empty()) {
      out_.why = lost_;
    } else if (departed_) {
      out_.conforms = false;
    } else if (out_.stopped) {
      out_.why = fmt::format("it was stopped behind line {}, up to which the log conforms",
                             grouped(out_.conforming));
    } else if (out_.unread > 0) {
      out_.why = fmt::format(
          "{} cannot be read; all others conform, if there any one step or none "
          "happened",
          counted(out_.unread, "line"));
    } else if (out_.events == 0) {
      out_.why = "no line of the log stands for anything in the model";
    } else {
      out_.conforms = true;
    }
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  std::istream& log_;
  LogModel& model_;
  const ConformOptions& options_;
  Conformance out_;
  std::string line_;
  bool too_long_ = false;
  bool departed_ = false;
  bool is_guess_ = false;  // a line that cannot be read may have been anything
  std::string lost_;       // why nothing can be said from here on
  uint64_t bytes_ = 0, counted_ = 0;
  double sum_ = 0;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<Conformance> walk_log(std::istream& log, LogModel& model, const ConformOptions& options) {
  return LogWalk(log, model, options).walk();
}

}  // namespace ordeal::conform
