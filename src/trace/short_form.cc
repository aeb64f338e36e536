#include "trace/short_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace ordeal {
namespace {

constexpr size_t kMaxChoices = 1'000'000;

Error not_a_short_form(std::string_view text, const std::string& why) {
  return Error{fmt::format(
      "'{}' is no short form of a run: {}; it looks like 0.2.1, or 1:0.2.1 for a run from initial "
      "state 1",
      one_line(cut_to(text, 60)), why)};
}

// All of `part` as a number.
bool read_number(std::string_view part, uint32_t& out) {
  const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), out);
  return !part.empty() && error == std::errc() && stop == part.data() + part.size();
}

}  // namespace

namespace trace {

ShortForm way_of(const Trace& trace) {
  ShortForm way;
  way.initial = trace.initial;
  for (const TraceStep& step : trace.steps) way.choices.push_back(step.choice);
  return way;
}

std::string short_form(const ShortForm& way) {
  std::string out;
  // A run without steps still needs a word that can be typed.
  if (way.initial != 0 || way.choices.empty()) out = fmt::format("{}:", way.initial);
  for (size_t i = 0; i < way.choices.size(); ++i) {
    if (i > 0) out += '.';
    out += std::to_string(way.choices[i]);
  }
  return out;
}

}  // namespace trace

std::string short_form(const Trace& trace) { return trace::short_form(trace::way_of(trace)); }

Result<ShortForm> parse_short_form(std::string_view text) {
  ShortForm form;
  std::string_view rest = text;
  if (const size_t colon = text.find(':'); colon != text.npos) {
    if (!read_number(text.substr(0, colon), form.initial)) {
      return not_a_short_form(text, "what stands before ':' is no number");
    }
    rest.remove_prefix(colon + 1);
  }
  if (rest.empty()) return form;
  while (true) {
    const size_t dot = std::min(rest.find('.'), rest.size());
    uint32_t choice = 0;
    if (!read_number(rest.substr(0, dot), choice)) {
      return not_a_short_form(
          text, fmt::format("'{}' is no choice index", one_line(cut_to(rest.substr(0, dot), 20))));
    }
    if (form.choices.size() == kMaxChoices) {
      return not_a_short_form(text, "it has more than a million steps");
    }
    form.choices.push_back(choice);
    if (dot == rest.size()) return form;
    rest.remove_prefix(dot + 1);
  }
}

std::string hex(uint64_t digest) { return fmt::format("{:016x}", digest); }

}  // namespace ordeal
