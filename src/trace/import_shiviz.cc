// Logs with vector clocks. Every event says how many events of each host it knows to have happened;
// that is all that tells who heard of whom. An event that knows more of another host than its host
// did before has received something: the arrow comes from the last event that it has news of, and
// from no event of which that one knew already.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <queue>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "base/pattern.h"
#include "base/text.h"
#include "trace/import.h"

namespace ordeal::trace {
namespace {

using ClockJson = nlohmann::json;  // quick, however many fields a clock has

// What ShiViz takes where a log names no expression, and the other one that is common.
constexpr const char* kEventFirst = R"((?<event>.*)\n(?<host>\S*) (?<clock>{.*}))";
constexpr const char* kEventLast = R"((?<host>\S*) (?<clock>{.*})\n(?<event>.*))";

constexpr size_t kMostEntries = 20'000'000;
constexpr uint64_t kMostSteps = 1'000'000'000;

struct ClockEvent {
  size_t host = 0;
  uint32_t time = 0;                               // of its own host, from 1
  std::vector<std::pair<size_t, uint32_t>> clock;  // host and how many of its events, by host
  std::string text;
  std::vector<std::string> fields;  // other groups: "date=…"
  size_t line = 0;
  std::vector<size_t> parents;  // events of other hosts that it has news of directly
};

// How much an event knows of a host.
uint32_t known(const ClockEvent& event, size_t host) {
  const auto at = std::lower_bound(event.clock.begin(), event.clock.end(), std::pair(host, 0u));
  return at == event.clock.end() || at->first != host ? 0 : at->second;
}

// The log without what describes it, and what that says.
struct Log {
  std::string_view text;
  size_t first_line = 1;
  std::string parser;
  std::string delimiter;
};

std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

bool names_groups(std::string_view line) {
  return line.find("(?<host>") != line.npos && line.find("(?<clock>") != line.npos;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == line.npos; }

// A log begins with the expression of its events and that of its delimiters, or with its first
// event. REQUIRES: the text has a line that is not blank.
Log split_header(std::string_view text, const ImportOptions& options) {
  Log log{text, 1, options.parser, options.delimiter};
  std::string_view rest = text;
  const std::string_view first = take_line(rest);
  const std::string_view second = take_line(rest);
  if (names_groups(first) || (is_blank(first) && second.find("(?<") != second.npos)) {
    log.text = rest;
    log.first_line = 3;
    if (log.parser.empty() && !is_blank(first)) log.parser = fmt::format("^{}$", first);
    if (log.delimiter.empty() && !is_blank(second)) log.delimiter = fmt::format("^{}$", second);
  }
  if (!log.parser.empty()) return log;
  std::string_view look = log.text;
  std::string_view line = take_line(look);
  while (is_blank(line) && !look.empty()) line = take_line(look);
  const size_t brace = line.find(" {\"");
  const bool clock_first =
      brace != line.npos && brace > 0 && line.substr(0, brace).find(' ') == line.npos;
  log.parser = clock_first ? kEventLast : kEventFirst;
  return log;
}

// One of the executions in a log.
struct Execution {
  std::string name;
  std::string_view text;
  size_t first_line = 1;
};

size_t lines_in(std::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

class ShivizImporter {
 public:
  ShivizImporter(const ImportOptions& options, std::vector<std::string>& notes)
      : options_(options), notes_(notes) {}

  Result<Trace> run(std::string_view text) {
    const Log log = split_header(text, options_);
    const Result<Execution> execution = choose(log);
    if (!execution) return execution.error();
    Result<void> done = read_events(log, *execution);
    if (done) done = line_up();
    if (done) done = find_parents();
    if (done) done = put_in_order();
    if (!done) return done.error();
    Trace trace = write();
    trace.system = !options_.name.empty()    ? options_.name
                   : execution->name.empty() ? "shiviz"
                                             : execution->name;
    return trace;
  }

 private:
  static Error at(size_t line, const std::string& what) {
    return Error{fmt::format("line {}: {}", line, what)};
  }

  Result<Execution> choose(const Log& log) {
    std::vector<Execution> all;
    if (log.delimiter.empty()) {
      all.push_back({"", log.text, log.first_line});
    } else {
      const Result<Pattern> delimiter = Pattern::compile(log.delimiter);
      if (!delimiter) return Error{"the delimiter of executions: " + delimiter.error().message};
      const std::optional<size_t> label = delimiter->group("trace");
      size_t begin = 0;
      std::string name;
      size_t line = log.first_line;
      size_t counted_to = 0;
      const auto add = [&](size_t end) {
        const std::string_view part = log.text.substr(begin, end - begin);
        line += lines_in(log.text.substr(counted_to, begin - counted_to));
        counted_to = begin;
        if (part.find_first_not_of(" \t\n") != part.npos) all.push_back({name, part, line});
      };
      while (begin <= log.text.size()) {
        const auto match = delimiter->search(log.text, begin, steps_);
        if (steps_ == 0) return too_long();
        if (!match || match->end == match->begin) break;
        add(match->begin);
        name = label ? std::string(match->groups[*label]) : "";
        begin = match->end;
      }
      add(log.text.size());
    }
    if (all.empty()) return Error{"the log has no events"};
    if (options_.execution == 0 || options_.execution > all.size()) {
      return Error{fmt::format("there is no execution {}; the log has {}, numbered from 1",
                               options_.execution, counted(all.size(), "execution"))};
    }
    if (all.size() > 1) {
      const std::string& name = all[options_.execution - 1].name;
      notes_.push_back(fmt::format("the log has {} executions; this is number {}{}", all.size(),
                                   options_.execution, name.empty() ? "" : ", " + in_quotes(name)));
    }
    return all[options_.execution - 1];
  }

  static Error too_long() {
    return Error{"the expression needs too many steps for this log; write one that matches less"};
  }

  Result<void> read_events(const Log& log, const Execution& execution) {
    const Result<Pattern> parser = Pattern::compile(log.parser);
    if (!parser) return Error{"the parser: " + parser.error().message};
    for (const char* group : {"host", "clock", "event"}) {
      if (!parser->group(group)) {
        return Error{
            fmt::format("the parser {} has no group (?<{}>…); it needs host, clock and "
                        "event",
                        in_quotes(log.parser), group)};
      }
    }
    const std::string_view text = execution.text;
    size_t begin = 0;
    size_t line = execution.first_line;
    size_t counted_to = 0;
    size_t skipped = 0;
    const auto line_of = [&](const char* place) {
      const size_t to = static_cast<size_t>(place - text.data());
      line += lines_in(text.substr(counted_to, to - counted_to));
      counted_to = to;
      return line;
    };
    while (begin <= text.size()) {
      const auto match = parser->search(text, begin, steps_);
      if (steps_ == 0) return too_long();
      if (!match) break;
      if (match->end == match->begin) return Error{"the parser matches nothing at all"};
      skipped += texts_in(text.substr(begin, match->begin - begin));
      const std::string_view clock = match->groups[*parser->group("clock")];
      if (Result<void> taken =
              take_event(*parser, *match, line_of(clock.data() ? clock.data() : text.data()));
          !taken) {
        return taken;
      }
      begin = match->end;
    }
    skipped += texts_in(text.substr(std::min(begin, text.size())));
    if (events_.empty()) {
      return Error{
          fmt::format("the parser {} finds no event in the log; expected one with the groups "
                      "host, clock and event",
                      in_quotes(log.parser))};
    }
    if (skipped > 0) {
      notes_.push_back(counted(skipped, "line") +
                       (skipped == 1 ? " is no event" : " are no events") + " by the parser");
    }
    return {};
  }

  static size_t texts_in(std::string_view text) {
    size_t count = 0;
    while (!text.empty()) count += is_blank(take_line(text)) ? 0 : 1;
    return count;
  }

  // Clocks may name hosts whose first event comes later.
  Result<size_t> host_number(std::string_view name, size_t line) {
    const auto [found, fresh] = by_name_.try_emplace(std::string(name), hosts_.size());
    if (fresh) {
      if (hosts_.size() == kMostHosts) {
        return at(line, fmt::format("there are more than {} hosts", kMostHosts));
      }
      hosts_.push_back(std::string(name));
    }
    return found->second;
  }

  Result<void> take_event(const Pattern& parser, const Pattern::Match& match, size_t line) {
    ClockEvent event;
    event.line = line;
    const std::string_view host = match.groups[*parser.group("host")];
    if (host.empty()) return at(line, "the event has no host");
    const Result<size_t> number = host_number(host, line);
    if (!number) return number.error();
    event.host = *number;
    event.text = std::string(match.groups[*parser.group("event")]);
    for (size_t i = 0; i < parser.names().size(); ++i) {
      const std::string& name = parser.names()[i];
      if (name == "host" || name == "clock" || name == "event" || match.groups[i].empty()) continue;
      event.fields.push_back(fmt::format("{}={}", name, match.groups[i]));
    }
    const Result<void> read = read_clock(match.groups[*parser.group("clock")], host, event);
    if (!read) return read;
    events_.push_back(std::move(event));
    if (events_.size() > kMostEvents) {
      return at(line, fmt::format("there are more than {} events", grouped(kMostEvents)));
    }
    return {};
  }

  // {"a": 1, "b": 2}. A log that TLC has written has its quotes escaped.
  Result<void> read_clock(std::string_view text, std::string_view host, ClockEvent& event) {
    std::string plain(text);
    for (size_t i = plain.find("\\\""); i != plain.npos; i = plain.find("\\\"", i + 1)) {
      plain.erase(i, 1);
    }
    const auto parse = [](const std::string& source) {
      constexpr ptrdiff_t kMostBrackets = 50;  // a clock needs one; names may have some
      const bool is_flat = std::count(source.begin(), source.end(), '{') < kMostBrackets &&
                           std::count(source.begin(), source.end(), '[') < kMostBrackets;
      return is_flat ? ClockJson::parse(source, nullptr, false)
                     : ClockJson(ClockJson::value_t::discarded);
    };
    ClockJson json = parse(std::string(text));
    if (json.is_discarded()) json = parse(plain);
    if (!json.is_object()) {
      return at(event.line, fmt::format("the clock {} is no JSON object; expected something like "
                                        "{{\"{}\": 1}}",
                                        in_quotes(text), one_line(cut_to(host, 40))));
    }
    if (json.size() > kMostHosts) {
      return at(event.line, fmt::format("the clock names more than {} hosts", kMostHosts));
    }
    for (const auto& [name, count] : json.items()) {
      if (!count.is_number_unsigned() || count.get<uint64_t>() > UINT32_MAX) {
        return at(
            event.line,
            fmt::format("the clock has {} for host {}; expected a whole number, how many events "
                        "of that host are known",
                        cut_to(count.dump(-1, ' ', true, ClockJson::error_handler_t::replace), 40),
                        in_quotes(name)));
      }
      if (count.get<uint64_t>() == 0) continue;
      if (++entries_ > kMostEntries) {
        return at(event.line, fmt::format("the clocks have more than {} entries together",
                                          grouped(kMostEntries)));
      }
      const Result<size_t> other = host_number(name, event.line);
      if (!other) return other.error();
      event.clock.emplace_back(*other, count.get<uint32_t>());
    }
    std::sort(event.clock.begin(), event.clock.end());
    event.time = known(event, event.host);
    if (event.time == 0) {
      return at(event.line, fmt::format("the clock of an event of host {0} has no entry for {0} "
                                        "itself; its first event has 1 there",
                                        in_quotes(host)));
    }
    return {};
  }

  // The events of every host, by their own time: 1, 2, 3, …
  Result<void> line_up() {
    of_host_.resize(hosts_.size());
    for (size_t i = 0; i < events_.size(); ++i) of_host_[events_[i].host].push_back(i);
    for (std::vector<size_t>& own : of_host_) {
      std::stable_sort(own.begin(), own.end(),
                       [&](size_t a, size_t b) { return events_[a].time < events_[b].time; });
      for (size_t i = 0; i < own.size(); ++i) {
        const ClockEvent& event = events_[own[i]];
        if (event.time == i + 1) continue;
        const std::string host = in_quotes(hosts_[event.host]);
        if (i == 0) {
          return at(event.line, fmt::format("the clock of host {} begins with {}; expected 1, as a "
                                            "host counts its events from 1",
                                            host, event.time));
        }
        const ClockEvent& before = events_[own[i - 1]];
        return at(event.line, fmt::format("the clock of host {} is {} here and {} on line {}; "
                                          "expected {}, as a host counts every event once",
                                          host, event.time, before.time, before.line, i + 1));
      }
    }
    return {};
  }

  Result<void> find_parents() {
    std::vector<uint32_t> told(hosts_.size());  // by other news of the same event
    for (const std::vector<size_t>& own : of_host_) {
      for (size_t i = 0; i < own.size(); ++i) {
        ClockEvent& event = events_[own[i]];
        const ClockEvent* before = i == 0 ? nullptr : &events_[own[i - 1]];
        if (before != nullptr) {
          if (Result<void> checked = remembers(event, *before, "its host"); !checked) {
            return checked;
          }
        }
        std::vector<size_t> news;
        for (const auto& [host, count] : event.clock) {
          if (host == event.host || (before != nullptr && known(*before, host) >= count)) continue;
          if (count > of_host_[host].size()) {
            return at(
                event.line,
                fmt::format("the clock knows {} of host {}, which has {} in this log",
                            counted(count, "event"), in_quotes(hosts_[host]),
                            of_host_[host].empty() ? "none" : grouped(of_host_[host].size())));
          }
          news.push_back(of_host_[host][count - 1]);
        }
        for (const size_t other : news) {
          for (const auto& [host, count] : events_[other].clock) {
            if (host != events_[other].host) told[host] = std::max(told[host], count);
          }
        }
        for (const size_t other : news) {
          if (Result<void> checked = remembers(event, events_[other], "it has news of that event");
              !checked) {
            return checked;
          }
          if (known(events_[other], event.host) >= event.time) {
            return at(event.line, fmt::format("this event and the one on line {} each know of the "
                                              "other; one must come first",
                                              events_[other].line));
          }
          if (told[events_[other].host] < events_[other].time) event.parents.push_back(other);
        }
        for (const size_t other : news) {
          for (const auto& [host, count] : events_[other].clock) told[host] = 0;
        }
        std::sort(event.parents.begin(), event.parents.end());
      }
    }
    return {};
  }

  // Whoever knows of an event knows all that was known there.
  Result<void> remembers(const ClockEvent& event, const ClockEvent& earlier, const char* reason) {
    for (const auto& [host, count] : earlier.clock) {
      const uint32_t now = known(event, host);
      if (now >= count || (host == event.host && earlier.host != event.host)) continue;
      return at(
          event.line,
          fmt::format("the clock has {} for host {}, and the one on line {} has {}; expected at "
                      "least {}, as {} ({})",
                      now, in_quotes(hosts_[host]), earlier.line, count, count,
                      earlier.host == event.host ? "a clock forgets nothing"
                                                 : "what is known is known with its causes",
                      reason));
    }
    return {};
  }

  // Causes first; of what is free, as the log has it.
  Result<void> put_in_order() {
    std::vector<size_t> waits(events_.size());
    std::vector<std::vector<size_t>> children(events_.size());
    for (const std::vector<size_t>& own : of_host_) {
      for (size_t i = 1; i < own.size(); ++i) {
        ++waits[own[i]];
        children[own[i - 1]].push_back(own[i]);
      }
    }
    for (size_t i = 0; i < events_.size(); ++i) {
      waits[i] += events_[i].parents.size();
      for (const size_t parent : events_[i].parents) children[parent].push_back(i);
    }
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> free;
    for (size_t i = 0; i < events_.size(); ++i) {
      if (waits[i] == 0) free.push(i);
    }
    while (!free.empty()) {
      const size_t next = free.top();
      free.pop();
      order_.push_back(next);
      for (const size_t child : children[next]) {
        if (--waits[child] == 0) free.push(child);
      }
    }
    if (order_.size() == events_.size()) return {};
    const auto stuck = std::find_if(waits.begin(), waits.end(), [](size_t n) { return n > 0; });
    return at(events_[static_cast<size_t>(stuck - waits.begin())].line,
              "the clocks go round in a circle: this event would have to come before itself");
  }

  // A host that is called by a number keeps it; the others get what is left, by first appearance.
  std::vector<int> numbers() const {
    std::vector<int> out(hosts_.size());
    std::set<int> taken;
    for (size_t i = 0; i < hosts_.size(); ++i) {
      const std::string& name = hosts_[i];
      int number = 0;
      const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
      if (read.ec == std::errc() && read.ptr == name.data() + name.size() && number >= 0 &&
          std::to_string(number) == name) {
        out[i] = number;
        taken.insert(number);
      } else {
        out[i] = -1;
      }
    }
    int next = 1;
    for (const ClockEvent& event : events_) {
      int& number = out[event.host];
      if (number >= 0) continue;
      while (taken.contains(next)) ++next;
      number = next++;
    }
    return out;
  }

  Trace write() {
    Trace trace;
    trace.source = "shiviz";
    trace.strategy = "import";
    const std::vector<int> number = numbers();
    trace.nodes = number;
    std::sort(trace.nodes.begin(), trace.nodes.end());
    for (size_t i = 0; i < hosts_.size(); ++i) {
      if (std::to_string(number[i]) != hosts_[i]) trace.node_names[number[i]] = hosts_[i];
    }
    std::vector<uint32_t> step_of(events_.size());  // from 1
    std::vector<uint32_t> last(hosts_.size());
    trace.steps.resize(order_.size());
    for (size_t i = 0; i < order_.size(); ++i) {
      ClockEvent& event = events_[order_[i]];
      step_of[order_[i]] = static_cast<uint32_t>(i + 1);
      TraceStep& step = trace.steps[i];
      Action& action = step.detail.action;
      action.node = number[event.host];
      action.type = std::move(event.text);
      step.detail.log = std::move(event.fields);
      step.causes.push_back(last[event.host]);
      last[event.host] = static_cast<uint32_t>(i + 1);
      if (event.parents.empty()) continue;
      for (const size_t parent : event.parents) step.causes.push_back(step_of[parent]);
      std::sort(step.causes.begin(), step.causes.end());
      // Of several senders the latest is drawn; the others are causes.
      const size_t sender =
          *std::max_element(event.parents.begin(), event.parents.end(),
                            [&](size_t a, size_t b) { return step_of[a] < step_of[b]; });
      action.kind = ActionKind::kDeliver;
      action.from = number[events_[sender].host];
      action.payload_digest = combine(combine(1, step_of[sender]), i + 1);
      trace.steps[step_of[sender] - 1].detail.sent.push_back(
          {ActionKind::kDeliver, action.from, action.node, action.type, "", action.payload_digest});
    }
    return trace;
  }

  const ImportOptions& options_;
  std::vector<std::string>& notes_;
  uint64_t steps_ = kMostSteps;
  std::vector<ClockEvent> events_;  // as the log has them
  std::vector<std::string> hosts_;
  std::unordered_map<std::string, size_t> by_name_;
  size_t entries_ = 0;
  std::vector<std::vector<size_t>> of_host_;
  std::vector<size_t> order_;
};

}  // namespace

Result<Trace> import_shiviz(std::string_view text, const ImportOptions& options,
                            std::vector<std::string>& notes) {
  std::string plain = valid_utf8(text);
  plain.erase(std::remove(plain.begin(), plain.end(), '\r'), plain.end());
  return ShivizImporter(options, notes).run(plain);
}

}  // namespace ordeal::trace
