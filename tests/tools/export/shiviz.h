// Reads a ShiViz log the way ShiViz does: with the expressions in its first two lines.
#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

namespace ordeal::shiviz {

struct Event {
  std::string host;
  std::map<std::string, int> clock;
  std::string text;

  bool before(const Event& other) const {
    const auto known = other.clock.find(host);
    return this != &other && known != other.clock.end() && clock.at(host) <= known->second;
  }
};

struct Log {
  std::vector<std::string> labels;
  std::vector<Event> events;
  size_t lines = 0;  // behind the two expressions
};

// JavaScript's expressions for a library without named groups, in which a brace is no literal.
inline std::regex expression_of(const std::string& line) {
  std::string plain = std::regex_replace(line, std::regex(R"(\(\?<\w+>)"), "(");
  plain = std::regex_replace(plain, std::regex(R"([{}])"), "\\$&");
  return std::regex(plain, std::regex::ECMAScript | std::regex::multiline);
}

inline Log read(const std::string& file) {
  const size_t first = file.find('\n');
  const size_t second = file.find('\n', first + 1);
  const std::regex parser = expression_of(file.substr(0, first));
  const std::regex delimiter = expression_of(file.substr(first + 1, second - first - 1));
  const std::string text = file.substr(second + 1);
  Log log;
  log.lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  const std::sregex_iterator none;
  for (std::sregex_iterator at(text.begin(), text.end(), delimiter); at != none; ++at) {
    log.labels.push_back((*at)[1]);
  }
  for (std::sregex_iterator at(text.begin(), text.end(), parser); at != none; ++at) {
    Event event{(*at)[1], {}, (*at)[3]};
    const nlohmann::json clock = nlohmann::json::parse((*at)[2].str());
    for (const auto& [host, count] : clock.items()) event.clock[host] = count;
    log.events.push_back(std::move(event));
  }
  return log;
}

// What ShiViz refuses: a host that does not know itself, whose clock does not count 1, 2, 3, …, or
// a clock that knows of events that are not there. Empty: nothing.
inline std::string offence(const Log& log) {
  std::map<std::string, int> counts;
  for (const Event& event : log.events) {
    if (!event.clock.contains(event.host)) return event.host + " does not know itself";
    if (event.clock.at(event.host) != ++counts[event.host]) return event.host + " does not count";
  }
  for (const Event& event : log.events) {
    for (const auto& [host, count] : event.clock) {
      if (count < 1 || count > counts[host]) return event.host + " knows too much of " + host;
    }
  }
  return "";
}

}  // namespace ordeal::shiviz
