// LineReader: the lines of a descriptor, for commands that are typed or come through a pipe.
// Whatever is at the other end: no line grows without bound, and nobody waits longer than he wants
// to.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace ordeal::cli {

// Bytes of a line; a terminal takes no more either.
inline constexpr size_t kLongestLine = 4096;

class LineReader {
 public:
  struct Line {
    std::string text;   // of one that is too long: nothing
    size_t number = 0;  // from 1
    bool too_long = false;
  };

  explicit LineReader(int descriptor) : descriptor_(descriptor) {}

  // The next line. None: it is not there yet, after so many milliseconds (-1: as long as it takes),
  // a signal, or a good deal of a line that is too long; or nothing will come any more: over().
  std::optional<Line> next(int patience_ms);
  bool over() const { return ended_ && text_.empty(); }

 private:
  std::optional<Line> take();
  // False: there is nothing to read just now.
  bool fill(int patience_ms);

  const int descriptor_;
  std::string text_;    // read, and not given out
  size_t scanned_ = 0;  // so much of it has no end of line
  size_t number_ = 0;
  bool skipping_ = false;  // up to the end of a line that is too long
  bool ended_ = false;
};

// "line 3 is longer than 4096 bytes, and was left out"
std::string refusal_of(const LineReader::Line& line);

}  // namespace ordeal::cli
