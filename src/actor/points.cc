#include "actor/points.h"

#include <algorithm>
#include <map>
#include <set>

namespace ordeal::actor {
namespace {

constexpr size_t kMostPoints = 64;

std::string list_of(const std::vector<NodeId>& nodes) {
  const bool in_a_row =
      nodes.back().value - nodes.front().value + 1 == static_cast<int>(nodes.size());
  if (nodes.size() == 1) return "node " + std::to_string(nodes[0].value);
  std::string text = "nodes " + std::to_string(nodes[0].value);
  if (nodes.size() > 2 && in_a_row) return text + " to " + std::to_string(nodes.back().value);
  for (size_t i = 1; i < nodes.size(); ++i) {
    text += (i + 1 == nodes.size() ? " and " : ", ") + std::to_string(nodes[i].value);
  }
  return text;
}

}  // namespace

std::vector<std::vector<NodeId>> like_nodes(const detail::Declaration& declaration) {
  std::vector<std::vector<NodeId>> out = declaration.alike;
  for (const std::string& type : declaration.alike_types) {
    std::vector<NodeId> nodes;
    for (size_t i = 0; i < declaration.nodes.size(); ++i) {
      const detail::NodeDeclaration& node = declaration.nodes[i];
      if (!node.component && node.type->full_name == type) {
        nodes.emplace_back(declaration.first_id + static_cast<int>(i));
      }
    }
    out.push_back(std::move(nodes));
  }
  for (std::vector<NodeId>& nodes : out) std::sort(nodes.begin(), nodes.end());
  return out;
}

Result<void> validate_alike(const detail::Declaration& declaration) {
  std::set<int> seen;
  for (size_t i = 0; i < declaration.alike_types.size(); ++i) {
    if (like_nodes(declaration)[declaration.alike.size() + i].empty()) {
      return Error{"nodes of type " + declaration.alike_types[i] +
                   " are declared alike, but there are none"};
    }
  }
  for (const std::vector<NodeId>& nodes : like_nodes(declaration)) {
    if (nodes.empty()) return Error{"alike() needs the ids of nodes, and got none"};
    const detail::NodeDeclaration* first = nullptr;
    for (NodeId id : nodes) {
      const std::string node = "node " + std::to_string(id.value);
      const size_t position = static_cast<size_t>(id.value - declaration.first_id);
      if (position >= declaration.nodes.size()) {
        return Error{node + " is declared alike, but there is no such node"};
      }
      const detail::NodeDeclaration& declared = declaration.nodes[position];
      if (declared.component) {
        return Error{node + " is declared alike, but it is the component " + declared.name +
                     ": only nodes can be alike"};
      }
      if (!seen.insert(id.value).second) return Error{node + " is declared alike twice"};
      if (first == nullptr) first = &declared;
      if (first->type->full_name != declared.type->full_name) {
        return Error{
            "nodes " + std::to_string(nodes[0].value) + " and " + std::to_string(id.value) +
            " are declared alike, but are of different types: " + std::string(first->type->name) +
            " and " + std::string(declared.type->name)};
      }
    }
  }
  std::set<value::NameTag> tags;
  for (const auto& names : declaration.interchangeable) {
    if (!tags.insert(names.tag).second) {
      return Error{"the names " + names.name + " are declared interchangeable twice"};
    }
  }
  return {};
}

Result<Points> Points::of(const detail::Declaration& declaration) {
  Points out;
  out.first_id_ = declaration.first_id;
  out.of_positions_.assign(declaration.nodes.size(), -1);
  const auto add_class = [&](size_t count) {
    out.classes_.emplace_back();
    for (size_t i = 0; i < count && out.positions_.size() + i < 256; ++i) {
      out.classes_.back().push_back(static_cast<uint8_t>(out.positions_.size() + i));
    }
  };
  size_t points = 0;
  for (const std::vector<NodeId>& nodes : like_nodes(declaration)) points += nodes.size();
  for (const auto& names : declaration.interchangeable) points += names.count;
  if (points == 0) {
    return Error{
        "symmetry: nothing is declared alike; say which nodes are, with alike({1, 2, 3}), or which "
        "names, with interchangeable<Name<Tag>>(count)"};
  }
  if (points > kMostPoints) {
    return Error{"symmetry: " + std::to_string(points) + " nodes and names are declared alike; " +
                 "at most " + std::to_string(kMostPoints) + " are supported"};
  }
  for (const std::vector<NodeId>& nodes : like_nodes(declaration)) {
    add_class(nodes.size());
    for (NodeId id : nodes) {
      if (id.value < 0) {
        return Error{"symmetry: node " + std::to_string(id.value) +
                     " is declared alike; ids below 0 cannot be renamed"};
      }
      out.of_positions_[static_cast<size_t>(id.value - declaration.first_id)] =
          static_cast<int>(out.positions_.size());
      out.positions_.push_back(id.value - declaration.first_id);
    }
  }
  for (const auto& names : declaration.interchangeable) {
    add_class(names.count);
    out.names_.push_back(
        {names.tag, names.name, names.count, static_cast<uint32_t>(out.positions_.size())});
    out.positions_.insert(out.positions_.end(), names.count, -1);
  }
  return out;
}

int Points::of_name(value::NameTag tag, uint32_t value) const {
  for (const Names& names : names_) {
    if (names.tag == tag && value < names.count) return static_cast<int>(names.first + value);
  }
  return -1;
}

value::Renaming Points::renaming(const Permutation& to) const {
  value::Renaming out;
  for (size_t i = 0; i < of_positions_.size(); ++i) {
    const int id = first_id_ + static_cast<int>(i);
    if (id < 0) continue;
    while (static_cast<int>(out.to.size()) <= id) {
      out.to.push_back(static_cast<int>(out.to.size()));
    }
    out.to[static_cast<size_t>(id)] = first_id_ + renamed(static_cast<int>(i), to);
  }
  for (const Names& names : names_) {
    value::Renaming::Names renamed{names.tag, {}};
    for (uint32_t i = 0; i < names.count; ++i) {
      renamed.to.push_back(to[names.first + i] - names.first);
    }
    out.names.push_back(std::move(renamed));
  }
  return out;
}

std::string Points::name(uint8_t point) const {
  if (positions_[point] >= 0) return "node " + std::to_string(positions_[point] + first_id_);
  for (const Names& names : names_) {
    if (point >= names.first && point < names.first + names.count) {
      return names.name + " " + std::to_string(point - names.first);
    }
  }
  return "";
}

std::string Points::what() const {
  std::vector<std::string> parts;
  for (const std::vector<uint8_t>& one : classes_) {
    if (one.empty() || positions_[one[0]] < 0) continue;
    std::vector<NodeId> nodes;
    for (uint8_t point : one) nodes.emplace_back(positions_[point] + first_id_);
    parts.push_back(list_of(nodes));
  }
  for (const Names& names : names_) {
    parts.push_back("the " + std::to_string(names.count) + " names " + names.name);
  }
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return text;
}

}  // namespace ordeal::actor
