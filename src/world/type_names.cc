#include "world/type_names.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "ordeal/detail/names.h"
#include "ordeal/world.h"

namespace ordeal {
namespace {

// "x::Signed<y::Prepare>" is "x" and "Signed<y::Prepare>".
std::vector<std::string_view> scopes_of(std::string_view spelled) {
  std::vector<std::string_view> out;
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i + 1 < spelled.size(); ++i) {
    depth += detail::nesting_step(spelled[i]);
    if (depth == 0 && spelled[i] == ':' && spelled[i + 1] == ':') {
      out.push_back(spelled.substr(start, i - start));
      start = i + 2;
      ++i;
    }
  }
  out.push_back(spelled.substr(start));
  return out;
}

// "Signed<y::Prepare>" becomes "Signed<Prepare>".
std::string without_inner_scopes(std::string_view name) {
  std::string out;
  size_t word = 0;  // where the name begins that is being read
  for (size_t i = 0; i < name.size(); ++i) {
    const bool is_scope = name[i] == ':' && i + 1 < name.size() && name[i + 1] == ':';
    if (is_scope) {
      out.resize(word);
      ++i;
      continue;
    }
    out += name[i];
    const bool is_part_of_name = detail::is_word(name[i]) || name[i] == '(' || name[i] == ')' ||
                                 (name[i] == ' ' && out.ends_with("(anonymous "));
    if (!is_part_of_name) word = out.size();
  }
  return out;
}

// The name with more and more of what it stands in; the last is all of it.
std::vector<std::string> ways_to_say(const value::Type& type) {
  const std::string spelled = type.full_name();
  const std::vector<std::string_view> scopes = scopes_of(spelled);
  std::vector<std::string> out;
  out.push_back(without_inner_scopes(scopes.back()));
  std::string longer;
  for (size_t i = scopes.size(); i-- > 0;) {
    longer = longer.empty() ? std::string(scopes[i]) : std::string(scopes[i]) + "::" + longer;
    out.push_back(longer);
  }
  return out;
}

std::vector<const value::Type*> types_of(const Cast& cast) {
  std::vector<const value::Type*> out;
  for (const Cast::Member& member : cast.members) {
    out.insert(out.end(), member.messages.begin(), member.messages.end());
    out.insert(out.end(), member.requests.begin(), member.requests.end());
  }
  return out;
}

}  // namespace

TypeNames::TypeNames(const Cast& cast) : TypeNames(types_of(cast)) {}

TypeNames::TypeNames(const std::vector<const value::Type*>& types) {
  for (const value::Type* type : types) {
    const bool known = std::any_of(types_.begin(), types_.end(),
                                   [&](const value::Type* other) { return other->same_as(*type); });
    if (!known) types_.push_back(type);
  }
  std::set<std::string_view> done;
  for (const value::Type* type : types_) {
    if (!done.insert(type->name()).second) continue;
    std::vector<const value::Type*> sharing;
    std::copy_if(types_.begin(), types_.end(), std::back_inserter(sharing),
                 [&](const value::Type* other) { return other->name() == type->name(); });
    if (sharing.size() < 2) continue;
    std::vector<std::vector<std::string>> ways;
    size_t most = 0;
    for (const value::Type* one : sharing) {
      ways.push_back(ways_to_say(*one));
      most = std::max(most, ways.back().size());
    }
    std::vector<std::string> names;
    for (size_t level = 0; level < most; ++level) {
      names.clear();
      for (const auto& way : ways) names.push_back(way[std::min(level, way.size() - 1)]);
      if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) break;
    }
    for (size_t i = 0; i < sharing.size(); ++i) {
      // Of anonymous namespaces in two files, or made at run time under a name that is taken.
      const bool shared = std::count(names.begin(), names.end(), names[i]) > 1;
      longer_.emplace_back(sharing[i],
                           names[i] + (shared ? " #" + std::to_string(i + 1) : std::string()));
    }
  }
}

std::string TypeNames::of(const value::Type& type) const {
  for (const auto& [known, name] : longer_) {
    if (known->same_as(type)) return name;
  }
  // One that no node handles, under the name of one that is handled.
  const bool is_taken = std::any_of(types_.begin(), types_.end(), [&](const value::Type* other) {
    return other->name() == type.name() && !other->same_as(type);
  });
  if (!is_taken) return std::string(type.name());
  const std::string full = type.full_name();
  return full == type.name() ? full + " (another type of that name)" : full;
}

value::Tree TypeNames::tree(const value::Any& value) const {
  value::Tree out = value.tree();
  if (!value.empty() && out.kind == value::Tree::Kind::kRecord) out.text = of(*value.type());
  return out;
}

}  // namespace ordeal
