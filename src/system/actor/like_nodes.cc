#include "system/actor/like_nodes.h"

#include <algorithm>
#include <set>
#include <string>

namespace ordeal::actor {

std::vector<std::vector<NodeId>> like_nodes(const detail::Declaration& declaration) {
  std::vector<std::vector<NodeId>> out = declaration.alike;
  for (const auto& type : declaration.alike_types) {
    std::vector<NodeId> nodes;
    for (size_t i = 0; i < declaration.nodes.size(); ++i) {
      const detail::NodeDeclaration& node = declaration.nodes[i];
      const bool of_type = type.made == nullptr ? node.type->id == type.id : node.type == type.made;
      if (!node.component && of_type) {
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
      const auto& type = declaration.alike_types[i];
      return Error{"nodes of type " + (type.made == nullptr ? type.id.spelled() : type.made->name) +
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
      if (!detail::same_kind(*first->type, *declared.type)) {
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

}  // namespace ordeal::actor
