#include "cli/line_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

namespace ordeal::cli {
namespace {

class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe(ends_), 0); }
  ~Pipe() {
    close(ends_[0]);
    end();
  }
  int out() const { return ends_[0]; }
  void write(const std::string& text) {
    EXPECT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void end() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

std::vector<std::string> lines_of(LineReader& reader) {
  std::vector<std::string> out;
  while (const auto line = reader.next(0)) {
    out.push_back(line->too_long ? refusal_of(*line) : line->text);
  }
  return out;
}

using Lines = std::vector<std::string>;

TEST(LineReader, GivesLinesAsTheyCome) {
  Pipe pipe;
  LineReader reader(pipe.out());
  EXPECT_EQ(lines_of(reader), Lines{});
  pipe.write("one\ntw");
  EXPECT_EQ(lines_of(reader), Lines{"one"});
  pipe.write("o\n\nthree");
  EXPECT_EQ(lines_of(reader), (Lines{"two", ""}));
  EXPECT_FALSE(reader.over());
  pipe.end();
  EXPECT_EQ(lines_of(reader), Lines{"three"});
  EXPECT_TRUE(reader.over());
  EXPECT_EQ(reader.next(-1), std::nullopt);
}

TEST(LineReader, RefusesALineThatIsTooLongAndGoesOnBehindIt) {
  const std::string longest(kLongestLine, 'x');
  Pipe pipe;
  LineReader reader(pipe.out());
  pipe.write(longest + "\n" + longest + "x\nnext\n");
  const std::string refusal = "line 2 is longer than 4096 bytes, and was left out";
  EXPECT_EQ(lines_of(reader), (Lines{longest, refusal, "next"}));
  // Told as soon as it is known, and once.
  pipe.write(longest + longest);
  EXPECT_EQ(lines_of(reader), Lines{"line 4 is longer than 4096 bytes, and was left out"});
  pipe.write(longest);
  EXPECT_EQ(lines_of(reader), Lines{});
  pipe.write("y\nlast");
  pipe.end();
  EXPECT_EQ(lines_of(reader), Lines{"last"});
  EXPECT_TRUE(reader.over());
}

TEST(LineReader, OfAnEndlessLineTheCallerGetsBackEveryNowAndThen) {
  const int zero = open("/dev/zero", O_RDONLY);
  LineReader reader(zero);
  EXPECT_EQ(lines_of(reader), Lines{"line 1 is longer than 4096 bytes, and was left out"});
  EXPECT_EQ(reader.next(-1), std::nullopt);
  EXPECT_FALSE(reader.over());
  close(zero);
}

TEST(LineReader, WhatCannotBeReadIsOver) {
  LineReader closed(987);
  EXPECT_EQ(closed.next(-1), std::nullopt);
  EXPECT_TRUE(closed.over());
  const int folder = open("/", O_RDONLY | O_DIRECTORY);
  LineReader reader(folder);
  EXPECT_EQ(reader.next(-1), std::nullopt);
  EXPECT_TRUE(reader.over());
  close(folder);
}

TEST(LineReader, ADescriptorThatDoesNotBlockIsNotOverBeforeItsEnd) {
  Pipe pipe;
  EXPECT_EQ(fcntl(pipe.out(), F_SETFL, O_NONBLOCK), 0);
  LineReader reader(pipe.out());
  EXPECT_EQ(reader.next(0), std::nullopt);
  EXPECT_FALSE(reader.over());
  pipe.write("a\n");
  EXPECT_EQ(lines_of(reader), Lines{"a"});
}

}  // namespace
}  // namespace ordeal::cli
