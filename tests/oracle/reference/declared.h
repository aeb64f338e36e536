// What follows from a declaration: worked out here once more, from what was declared alone.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "ordeal/system.h"

namespace ordeal::reference {

inline bool is_timed(const detail::Declaration& declared) {
  return declared.says_timed.value_or(false) || declared.prompt;
}

// A block per node, for each way in which the network may split.
inline std::vector<std::vector<int>> splits_of(const detail::Declaration& declared,
                                               const std::vector<NodeId>& ids) {
  std::vector<std::vector<int>> out;
  if (declared.splits) {
    for (const detail::Split& given : *declared.splits) {
      std::vector<int> blocks;
      for (NodeId id : ids) {
        size_t block = 0;
        while (block < given.size() &&
               std::find(given[block].begin(), given[block].end(), id) == given[block].end()) {
          ++block;
        }
        blocks.push_back(static_cast<int>(block));
      }
      out.push_back(blocks);
    }
    return out;
  }
  // In two, in any way: the first node is with those whose bit is not set.
  const size_t others = ids.size() - 1;
  for (size_t way = 1; way < size_t{1} << others; ++way) {
    std::vector<int> blocks = {0};
    for (size_t i = 0; i < others; ++i) blocks.push_back((way >> i) % 2 == 1 ? 1 : 0);
    out.push_back(blocks);
  }
  return out;
}

// The last `count` of the scopes that a type's full name begins with, and its own name.
inline std::string with_scopes(std::string name, int count) {
  size_t from = name.size();
  for (int i = 0; i <= count && from != std::string::npos; ++i) from = name.rfind("::", from - 1);
  return from == std::string::npos ? name : name.substr(from + 2);
}

// Types that are handled and have one short name are shown with as many scopes as tell them
// apart.
inline std::string name_of(const detail::Declaration& declared, const value::Type& type) {
  std::set<std::string> rivals = {type.full_name()};
  bool known = false;
  for (const detail::NodeDeclaration& node : declared.nodes) {
    for (const auto* list : {&node.type->messages, &node.type->requests}) {
      for (const auto& handler : *list) {
        if (handler.type->name() != type.name()) continue;
        rivals.insert(handler.type->full_name());
        known = known || handler.type->full_name() == type.full_name();
      }
    }
  }
  if (rivals.size() > 1 && !known) return type.full_name();
  for (int count = 0;; ++count) {
    std::set<std::string> names;
    for (const std::string& rival : rivals) names.insert(with_scopes(rival, count));
    if (names.size() == rivals.size()) return with_scopes(type.full_name(), count);
  }
}

}  // namespace ordeal::reference
