#include "cli/live_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/text.h"
#include "cli/line_reader.h"
#include "ordeal/live.h"

namespace ordeal::cli {

Result<std::vector<ScriptLine>> parse_live_script(const std::string& text,
                                                  const std::string& path) {
  constexpr double kMost = 1e6;
  std::vector<ScriptLine> lines;
  std::istringstream in(text);
  std::string line;
  for (size_t number = 1; std::getline(in, line); ++number) {
    const std::string where = fmt::format("{}:{}: ", one_line(path), number);
    if (line.size() > kLongestLine) {
      return Error{fmt::format("{}the line is longer than {} bytes", where, kLongestLine)};
    }
    std::istringstream words(line);
    std::string at;
    std::string time;
    std::string command;
    if (!(words >> at) || at[0] == '#') continue;
    words >> time >> std::ws;
    std::getline(words, command);
    double seconds = -1;
    const char* end = time.data() + time.size();
    const auto [stopped, error] = std::from_chars(time.data(), end, seconds);
    const bool is_time = error == std::errc() && stopped == end && seconds >= 0 && seconds <= kMost;
    if (at != "at" || !is_time || command.empty()) {
      return Error{
          fmt::format("{}'{}' is no line of a script; one is: at SECONDS COMMAND, such as "
                      "'at 0.5 crash 2'",
                      where, one_line(cut_to(line, 80)))};
    }
    if (const auto known = check_live_command(command); !known) {
      return Error{where + known.error().message};
    }
    lines.push_back({seconds, command, number});
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const ScriptLine& a, const ScriptLine& b) { return a.seconds < b.seconds; });
  return lines;
}

}  // namespace ordeal::cli
