#include "report/text/mined_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/text/terminal.h"

namespace ordeal::report {
namespace {

using explore::Mined;

std::string percent(uint64_t part, uint64_t whole) {
  return fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::vector<std::string> rests_on(const Mined& mined, const MinedAbout& about) {
  const std::string made = fmt::format("{} of strategy {}, {}", counted(mined.runs, "run"),
                                       one_line(about.strategy), counted(mined.steps, "step"));
  std::vector<std::string> lines;
  if (mined.is_graded) {
    lines.push_back(fmt::format("nothing: no run of {} came to {}", made, one_line(about.target)));
    lines.push_back(mined.waypoints.size() > 1
                        ? "these are smaller forms of it, which need not lie on a way there"
                        : "and it has no smaller form that could lie on a way there");
  } else {
    lines.push_back(fmt::format("{} that came to {}, of {}", counted(mined.reached, "run"),
                                one_line(about.target), made));
  }
  if (mined.stopped) lines.push_back("stopped: " + one_line(to_string(*mined.stopped)));
  return lines;
}

std::vector<std::string> on_the_way(const Mined& mined) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < mined.waypoints.size(); ++i) {
    const Mined::Waypoint& one = mined.waypoints[i];
    const bool is_target = i + 1 == mined.waypoints.size();
    std::string line = one_line(one.predicate) + ":";
    if (!mined.is_graded) line += fmt::format(" after {:.1f} steps on average", one.first);
    if (!is_target && mined.others > 0) {
      line += fmt::format("{} in {} of the runs that did not come to the target",
                          mined.is_graded ? "" : ";", percent(one.others, mined.others));
    }
    if (line.back() != ':') lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> left_out(const Mined& mined) {
  std::vector<std::string> parts;
  const auto add = [&](uint64_t count, const std::string& why) {
    if (count > 0) parts.push_back(grouped(count) + " " + why);
  };
  if (mined.is_graded) return {};
  add(mined.not_in_all, "not on the way in all of them");
  add(mined.at_start, "true at the start");
  add(mined.everywhere, "in nearly all other runs too");
  add(mined.together, "that come together with one that is there");
  add(mined.beyond, "that more of the other runs come to (see --most)");
  if (parts.empty()) return {};
  return {fmt::format("of {}: {}", counted(mined.tried, "predicate"), join(parts, ", "))};
}

}  // namespace

std::string mined_text(const Mined& mined, const MinedAbout& about) {
  const Painter paint(false);
  std::string out = one_line(mined.list()) + "\n\n";
  add_fact("rests on", rests_on(mined, about), paint, out);
  add_fact("on the way", on_the_way(mined), paint, out);
  add_fact("left out", left_out(mined), paint, out);
  if (mined.waypoints.size() > 1 || !mined.is_graded) {
    out += fmt::format("\n  next        {} check {} --strategy waypoint --waypoints {}\n",
                       about.program, about.subject, shell_word(mined.list()));
  }
  return out;
}

std::string mined_json(const Mined& mined, const MinedAbout& about) {
  using Json = nlohmann::ordered_json;
  Json json = {{"format", "ordeal-waypoints"},
               {"version", 1},
               {"subject", about.subject},
               {"target", about.target},
               {"strategy", about.strategy},
               {"seed", about.seed},
               {"waypoints", mined.list()},
               {"graded", mined.is_graded},
               {"runs", mined.runs},
               {"steps", mined.steps},
               {"reached", mined.reached},
               {"others", mined.others},
               {"stopped", mined.stopped ? Json(to_string(*mined.stopped)) : Json()},
               {"predicates", Json::array()},
               {"tried", mined.tried},
               {"left_out",
                {{"not_on_all_ways", mined.not_in_all},
                 {"at_start", mined.at_start},
                 {"everywhere", mined.everywhere},
                 {"together", mined.together},
                 {"beyond_most", mined.beyond}}}};
  for (const Mined::Waypoint& one : mined.waypoints) {
    json["predicates"].push_back({{"predicate", one.predicate},
                                  {"first", mined.is_graded ? Json() : Json(one.first)},
                                  {"others", one.others}});
  }
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace ordeal::report
