#include "cli/line_reader.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace ordeal::cli {

std::optional<LineReader::Line> LineReader::next(int patience_ms) {
  constexpr int kMostReads = 16;  // until the caller gets to look at the clock
  for (int i = 0; i < kMostReads; ++i) {
    if (std::optional<Line> line = take()) return line;
    if (ended_ || !fill(patience_ms)) break;
  }
  return take();
}

std::optional<LineReader::Line> LineReader::take() {
  while (!text_.empty()) {
    const size_t end = text_.find('\n', scanned_);
    const bool whole = end != text_.npos;
    if (!whole && !ended_ && !skipping_ && text_.size() <= kLongestLine) {
      scanned_ = text_.size();
      return std::nullopt;
    }
    Line line;
    line.text = text_.substr(0, end);
    text_.erase(0, whole ? end + 1 : text_.size());
    scanned_ = 0;
    // The rest of a line that was told before.
    const bool told = skipping_;
    skipping_ = !whole && !ended_;
    if (told) continue;
    line.number = ++number_;
    line.too_long = line.text.size() > kLongestLine;
    if (line.too_long) line.text.clear();
    return line;
  }
  return std::nullopt;
}

bool LineReader::fill(int patience_ms) {
  pollfd ready{descriptor_, POLLIN, 0};
  const int polled = ::poll(&ready, 1, patience_ms);
  if (polled == 0 || (polled < 0 && errno == EINTR)) return false;
  std::array<char, kLongestLine> buffer;
  const ssize_t got = polled < 0 ? -1 : ::read(descriptor_, buffer.data(), buffer.size());
  if (got > 0) {
    text_.append(buffer.data(), static_cast<size_t>(got));
    return true;
  }
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  ended_ = true;  // also where it cannot be read at all
  return true;
}

std::string refusal_of(const LineReader::Line& line) {
  return fmt::format("line {} is longer than {} bytes, and was left out", line.number,
                     kLongestLine);
}

}  // namespace ordeal::cli
