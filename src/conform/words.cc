// What became of a log, for people and for programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "conform/conformance.h"

namespace ordeal::conform {
namespace {

using Object = nlohmann::ordered_json;

constexpr size_t kColumns = 100;

void add_wrapped(std::string& out, const std::string& first, const std::string& text) {
  const std::vector<std::string> lines = wrapped(one_line(text), kColumns - first.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    out += (i == 0 ? first : std::string(first.size(), ' ')) + lines[i] + "\n";
  }
}

void add_near(std::string& out, const Near& near) {
  add_wrapped(out, "    ", near.step);
  for (const Difference& one : near.differs) {
    add_wrapped(out, "      ",
                one.model.empty()
                    ? fmt::format("{}: not as in the log, {}", one.what, one.log)
                    : fmt::format("{}: the log {}, the model {}", one.what, one.log, one.model));
  }
  for (const std::string& why : near.why) add_wrapped(out, "      not enabled: ", why);
}

void add_departure(std::string& out, const Departure& departure) {
  add_wrapped(out, "  the line    ", departure.event);
  for (const std::string& step : departure.stands_for) add_wrapped(out, "  stands for  ", step);
  out += fmt::format("  before it   the model can be in {}\n", counted(departure.states, "state"));
  if (departure.nearest.empty()) {
    out += "  there is no step that the model would have allowed\n";
    return;
  }
  out += "  what comes nearest in the model:\n";
  for (const Near& near : departure.nearest) add_near(out, near);
}

}  // namespace

std::string progress_line(const LogProgress& progress) {
  std::string out =
      fmt::format("{}: {}", seconds_text(progress.seconds), counted(progress.lines, "line"));
  if (progress.seconds > 0.01) {
    const double rate = static_cast<double>(progress.lines) / progress.seconds;
    out += fmt::format(" ({}/s)", grouped(static_cast<uint64_t>(rate)));
  }
  return out + fmt::format(", {}, {} possible", bytes_text(progress.bytes),
                           counted(progress.frontier, "state"));
}

std::string to_text(const Conformance& found, const std::string& name) {
  std::string out;
  if (!found.conforms) {
    out += fmt::format("undecided: whether {} conforms to {}\n", one_line(name),
                       one_line(found.model));
    add_wrapped(out, "  ", found.why);
  } else if (*found.conforms) {
    out += fmt::format("conforms: {} lines of {} are behaviour of {}\n", grouped(found.lines),
                       one_line(name), one_line(found.model));
  } else {
    out += fmt::format("departs: {} leaves {} at line {}\n", one_line(name), one_line(found.model),
                       grouped(found.departure->line));
  }
  if (found.departure) add_departure(out, *found.departure);
  for (const UnreadLine& line : found.unread_lines) {
    add_wrapped(out, "  unread      ", fmt::format("line {}: {}", line.line, line.why));
  }
  if (found.unread > found.unread_lines.size()) {
    out +=
        fmt::format("  unread      {} more\n", grouped(found.unread - found.unread_lines.size()));
  }
  for (const std::string& note : found.notes) add_wrapped(out, "  note        ", note);
  out += fmt::format("  lines       {}: {}, {} ignored; the first {} conform\n",
                     grouped(found.lines), counted(found.events, "event"), grouped(found.ignored),
                     grouped(found.conforming));
  out += fmt::format("  frontier    {} at most (behind line {}), {:.2f} in the mean{}\n",
                     counted(found.most, "state"), grouped(found.most_at), found.mean,
                     found.cut ? "; there were more than are kept" : "");
  const double rate = found.seconds > 0 ? static_cast<double>(found.lines) / found.seconds : 0;
  out += fmt::format("  took        {}, {} lines a second\n", seconds_text(found.seconds),
                     grouped(static_cast<uint64_t>(rate)));
  return out;
}

std::string to_json(const Conformance& found) {
  Object out = {{"format", "ordeal conformance"}, {"version", 1}, {"model", found.model}};
  out["conforms"] = found.conforms ? Object(*found.conforms) : Object(nullptr);
  out["why"] = found.why;
  out["lines"] = found.lines;
  out["conforming"] = found.conforming;
  const bool departs = found.conforms && !*found.conforms;
  out["departed_at"] = departs ? Object(found.departure->line) : Object(nullptr);
  out["events"] = found.events;
  out["ignored"] = found.ignored;
  out["frontier"] = {{"now", found.frontier},
                     {"most", found.most},
                     {"most_at", found.most_at},
                     {"mean", found.mean},
                     {"cut", found.cut}};
  Object unread = Object::array();
  for (const UnreadLine& line : found.unread_lines) {
    unread.push_back({{"line", line.line}, {"why", line.why}});
  }
  out["unread"] = {{"count", found.unread}, {"first", std::move(unread)}};
  out["departure"] = nullptr;
  if (found.departure) {
    Object nearest = Object::array();
    for (const Near& near : found.departure->nearest) {
      Object differs = Object::array();
      for (const Difference& one : near.differs) {
        differs.push_back({{"what", one.what}, {"log", one.log}, {"model", one.model}});
      }
      nearest.push_back(
          {{"step", near.step}, {"differs", std::move(differs)}, {"not_enabled", near.why}});
    }
    out["departure"] = {{"line", found.departure->line},
                        {"event", found.departure->event},
                        {"stands_for", found.departure->stands_for},
                        {"states", found.departure->states},
                        {"nearest", std::move(nearest)}};
  }
  out["notes"] = found.notes;
  out["stopped"] = found.stopped;
  out["seconds"] = found.seconds;
  return out.dump(2, ' ', true, Object::error_handler_t::replace) + "\n";
}

}  // namespace ordeal::conform
