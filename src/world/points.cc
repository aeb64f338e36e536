#include "ordeal/detail/points.h"

#include <algorithm>

#include "base/hash.h"

namespace ordeal::detail {
namespace {

constexpr size_t kMostPoints = 64;
constexpr uint64_t kThisOne = 0x3c79ac492ba7b653ULL;
constexpr uint64_t kThatOne = 0x1c69b3f74ac4ae35ULL;
constexpr uint64_t kSomeOne = 0xa0761d6478bd642fULL;

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

Result<Points> Points::of(int first_id, std::vector<std::vector<NodeId>> nodes,
                          const std::vector<LikeNames>& names) {
  Points out;
  out.first_id_ = first_id;
  size_t count = 0;
  for (const std::vector<NodeId>& one : nodes) count += one.size();
  for (const LikeNames& one : names) count += one.count;
  if (count == 0) {
    return Error{
        "symmetry: nothing is declared alike; say which nodes are, with alike({1, 2, 3}), or which "
        "names, with interchangeable<Name<Tag>>(count)"};
  }
  if (count > kMostPoints) {
    return Error{"symmetry: " + std::to_string(count) + " nodes and names are declared alike; " +
                 "at most " + std::to_string(kMostPoints) + " are supported"};
  }
  const auto add_class = [&out](size_t size) {
    out.classes_.emplace_back();
    for (size_t i = 0; i < size; ++i) {
      out.classes_.back().push_back(static_cast<uint8_t>(out.positions_.size() + i));
    }
  };
  for (std::vector<NodeId>& one : nodes) {
    std::sort(one.begin(), one.end());
    add_class(one.size());
    for (NodeId id : one) {
      const int position = id.value - first_id;
      if (id.value < 0 || position < 0) {
        return Error{"symmetry: node " + std::to_string(id.value) +
                     " is declared alike; ids below 0 cannot be renamed"};
      }
      if (out.of_position(position) >= 0) {
        return Error{"symmetry: node " + std::to_string(id.value) + " is declared alike twice"};
      }
      if (out.of_positions_.size() <= static_cast<size_t>(position)) {
        out.of_positions_.resize(static_cast<size_t>(position) + 1, -1);
      }
      out.of_positions_[static_cast<size_t>(position)] = static_cast<int>(out.positions_.size());
      out.positions_.push_back(position);
    }
  }
  for (const LikeNames& one : names) {
    add_class(one.count);
    out.names_.push_back(
        {one.tag, one.name, one.count, static_cast<uint32_t>(out.positions_.size())});
    out.positions_.insert(out.positions_.end(), one.count, -1);
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

uint64_t Eye::node(NodeId id) {
  const int point = points_.of_node(id);
  return point < 0 ? mix64(static_cast<uint64_t>(id.value)) : seen(point);
}

uint64_t Eye::name(value::NameTag tag, uint32_t value) {
  const int point = points_.of_name(tag, value);
  return point < 0 ? mix64(value) : seen(point);
}

uint64_t Eye::seen(int point) {
  mentions_ |= uint64_t{1} << point;
  return point == this_ ? kThisOne : point == that_ ? kThatOne : kSomeOne;
}

}  // namespace ordeal::detail
