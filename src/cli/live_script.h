// A script of a live run: commands with the times at which they are given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ordeal/result.h"

namespace ordeal::cli {

inline constexpr uint64_t kLongestScript = uint64_t{1} << 20;  // bytes

struct ScriptLine {
  double seconds = 0;  // since the start
  std::string command;
  size_t line = 0;  // of the file, from 1
};

// "at 0.5 crash 2", a line each; blank lines and those that begin with '#' say nothing. In order of
// time. An Error names the line, and what would be right.
// A line has at most kLongestLine bytes, as one that is typed.
Result<std::vector<ScriptLine>> parse_live_script(const std::string& text, const std::string& path);

}  // namespace ordeal::cli
