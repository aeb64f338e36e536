#include "system/scenario/script_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "system/scenario/validate_names.h"
#include "world/type_names.h"

namespace ordeal::monitor {
namespace {

constexpr std::string_view kArrow = "→";

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out = kind_names();
    std::erase(out, to_string(ActionKind::kStep));
    return out;
  }();
  return all;
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && !text.empty() ? std::optional<int>(value) : std::nullopt;
}

// Without what show() adds behind an action: "[choose 1]", "[crash after persist 2]".
std::string_view without_notes(std::string_view line) {
  while (line.ends_with(']')) {
    const size_t at = line.rfind(" [");
    if (at == std::string_view::npos) break;
    const std::string_view note = line.substr(at + 1);
    if (!note.starts_with("[choose ") && !note.starts_with("[crash after persist ")) break;
    line = line.substr(0, at);
  }
  return line;
}

class Line {
 public:
  Line(std::string_view text, const Cast& cast) : text_(without_notes(text)), cast_(cast) {}

  Result<void> check() const {
    const std::string kind(text_.substr(0, text_.find(' ')));
    const std::string_view rest = text_.substr(std::min(text_.size(), kind.size() + 1));
    if (std::find(kinds().begin(), kinds().end(), kind) == kinds().end()) {
      return Error{fmt::format("'{}' is no kind of action{}; the kinds are {}", kind,
                               did_you_mean(kind, kinds()), join(kinds(), ", "))};
    }
    if (kind == "heal" || kind == "partition") return {};
    if (kind == "crash" || kind == "recover") return node(rest);
    if (kind == "deliver" || kind == "drop" || kind == "duplicate" || kind == "event") {
      return transfer(rest);
    }
    return at_node(rest);
  }

 private:
  Result<void> node(std::string_view text) const {
    const std::optional<int> id = number(text);
    if (!id) return Error{fmt::format("'{}' is no node; write its number at the end", text)};
    if (cast_.find(*id) != nullptr) return {};
    return Error{fmt::format("there is no node {}; there are {}", *id, show_nodes(cast_.nodes()))};
  }

  // "… at 3"
  Result<void> at_node(std::string_view rest) const {
    const size_t at = rest.rfind(" at ");
    if (at == std::string_view::npos) return Error{"where? write ' at ' and the node at the end"};
    return node(rest.substr(at + 4));
  }

  // "Vote{term: 1} 2→3"
  Result<void> transfer(std::string_view rest) const {
    const size_t arrow = rest.rfind(kArrow);
    const size_t space = arrow == std::string_view::npos ? arrow : rest.rfind(' ', arrow);
    if (space == std::string_view::npos) {
      return Error{"between whom? write sender→receiver at the end"};
    }
    if (auto fine = node(rest.substr(space + 1, arrow - space - 1)); !fine) return fine;
    const std::string_view to = rest.substr(arrow + kArrow.size());
    if (auto fine = node(to); !fine) return fine;
    const Cast::Member* receiver = cast_.find(*number(to));
    const std::string_view content = rest.substr(0, space);
    const TypeNames known(cast_);
    std::vector<std::string> names;
    for (const value::Type* type : receiver->messages) {
      names.push_back(known.of(*type));
      if (!content.starts_with(names.back())) continue;
      const std::string_view behind = content.substr(names.back().size());
      if (behind.empty() || behind[0] == '{' || behind[0] == ' ') return {};
    }
    const std::string type(content.substr(0, content.find_first_of("{ ")));
    return Error{fmt::format("node {} does not handle {}{}; it handles {}", receiver->id.value,
                             type, did_you_mean(type, names), show_types(receiver->messages))};
  }

  std::string_view text_;
  const Cast& cast_;
};

}  // namespace

ScriptLine script_line(const std::string& line) {
  constexpr std::string_view kMark = "? ";
  ScriptLine out;
  out.may_be_left_out = line.starts_with(kMark);
  out.text = out.may_be_left_out ? line.substr(kMark.size()) : line;
  // " #" and sixteen digits, behind the type; actions of raw models have none.
  const size_t mark = out.text.starts_with('#') ? 0 : out.text.find(" #") + 1;
  const size_t at = mark == 0 && !out.text.starts_with('#') ? std::string::npos : mark + 1;
  constexpr size_t kDigits = 16;
  out.by_digest = at != std::string::npos && at + kDigits <= out.text.size() &&
                  out.text.find_first_not_of("0123456789abcdef", at) >= at + kDigits;
  return out;
}

Result<void> check_script_line(const std::string& line, const Cast& cast) {
  // The actions of a raw model are called what it calls them.
  if (cast.is_model) return {};
  const ScriptLine parsed = script_line(line);
  return Line(parsed.text, cast).check();
}

}  // namespace ordeal::monitor
