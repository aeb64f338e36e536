#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "report/draw/clocks.h"
#include "report/export/export.h"
#include "report/words.h"

namespace ordeal::report {
namespace {

constexpr size_t kMostOfATitle = 60;
constexpr size_t kMostOfAnEvent = 2000;  // a payload may be a megabyte; nobody reads that in a list

class Log {
 public:
  Log(const Trace& trace, const Clocks& clocks) : trace_(trace), clocks_(clocks) { name_hosts(); }

  std::string text() {
    put("{}\n{}\n", kShivizParser, kShivizDelimiter);
    const std::string label = fmt::format("{} {}", one_line(trace_.system), short_form(trace_));
    put("=== {} ===\n", cut_to(label, kMostOfATitle));
    bool first = true;
    for (const int host : clocks_.hosts) {
      const auto type = trace_.node_types.find(host);
      std::string what = type == trace_.node_types.end() ? "start" : "start " + type->second;
      for (const Sent& sent : trace_.initially_sent) {
        if (sent.from == host) what += "; sends " + words_of(sent);
      }
      event(host, clocks_.at_start.at(host), what, first ? violation_after(0) : "");
      first = false;
    }
    for (size_t i = 0; i < trace_.steps.size(); ++i) {
      const StepDetail& detail = trace_.steps[i].detail;
      std::string what = fmt::format("{}: {}", i + 1, action_words(trace_, detail.action));
      for (const Effect& effect : effects_of(trace_, trace_.steps[i])) {
        if (!effect.verb.empty()) what += "; " + effect.line();
      }
      for (const Sent& lost : detail.lost) what += "; loses " + words_of(lost);
      event(host_of(detail.action), clocks_.after[i], what, violation_after(i + 1));
    }
    return std::move(out_);
  }

 private:
  template <class... T>
  void put(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(arguments)...);
  }

  std::string words_of(const Sent& sent) const {
    return fmt::format("{} → {}", sent.text.empty() ? sent.type : sent.text,
                       node_name(trace_, sent.to));
  }

  // One word that no other host has.
  void name_hosts() {
    std::set<std::string> taken = {"network", "state"};
    for (const int host : clocks_.hosts) {
      if (host == kOutside) continue;
      std::string name = one_line(node_name(trace_, host));
      std::replace(name.begin(), name.end(), ' ', '_');
      while (!taken.insert(name).second) name += fmt::format("_{}", host);
      names_[host] = name;
    }
  }
  std::string name_of(int host) const {
    if (const auto named = names_.find(host); named != names_.end()) return named->second;
    return clocks_.at_start.contains(kOutside) ? "state" : "network";
  }
  // As it stands in a clock.
  static std::string quoted(const std::string& name) { return nlohmann::json(name).dump(); }

  std::string violation_after(size_t step) const {
    const TraceVerdict& verdict = trace_.verdict;
    if (verdict.property.empty() || verdict.step != step) return "";
    return fmt::format("; ✗ violated: {}{}{}", verdict.property, verdict.why.empty() ? "" : ": ",
                       verdict.why);
  }

  void event(int host, const Clock& clock, const std::string& what, const std::string& violation) {
    put("{} {{", name_of(host));
    bool first = true;
    for (const auto& [other, count] : clock) {
      put("{}{}:{}", first ? "" : ", ", quoted(name_of(other)), count);
      first = false;
    }
    put("}}\n{}{}\n", cut_to(one_line(what), kMostOfAnEvent),
        cut_to(one_line(violation), kMostOfAnEvent));
  }

  const Trace& trace_;
  const Clocks& clocks_;
  std::map<int, std::string> names_;
  std::string out_;
};

}  // namespace

Result<std::string> to_shiviz(const Trace& trace) {
  const Result<Clocks> clocks = clocks_of(trace);
  if (!clocks) return clocks.error();
  return Log(trace, *clocks).text();
}

}  // namespace ordeal::report
