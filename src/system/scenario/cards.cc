#include "system/scenario/cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/mutant.h"

namespace ordeal::monitor {
namespace {

constexpr size_t kMostCards = 100'000;

// Every way to put the nodes into parts of these sizes, in lexicographic order.
void divide(const std::vector<NodeId>& nodes, std::vector<int>& left, std::map<NodeId, int>& so_far,
            std::vector<std::map<NodeId, int>>& out) {
  if (out.size() > kMostCards) return;
  const size_t at = so_far.size();
  if (at == nodes.size()) {
    out.push_back(so_far);
    return;
  }
  for (size_t part = 0; part < left.size(); ++part) {
    if (left[part] == 0) continue;
    --left[part];
    so_far[nodes[at]] = static_cast<int>(part);
    divide(nodes, left, so_far, out);
    so_far.erase(nodes[at]);
    ++left[part];
  }
}

std::vector<std::map<NodeId, int>> ways_of(const Scenario::PartitionDeclaration& partition,
                                           const std::vector<NodeId>& nodes) {
  std::vector<std::map<NodeId, int>> ways;
  std::map<NodeId, int> parts;
  if (partition.sizes.empty()) {
    for (size_t part = 0; part < partition.blocks.size(); ++part) {
      for (NodeId node : partition.blocks[part]) parts[node] = static_cast<int>(part);
    }
    return {parts};
  }
  std::vector<int> left = partition.sizes;
  divide(nodes, left, parts, ways);
  return ways;
}

// Every card so far, with each of the ways to go on.
template <class Ways, class Add>
Result<void> multiply(std::vector<Cards>& cards, const Ways& ways, Add add) {
  if (cards.size() * ways.size() > kMostCards) {
    return Error{
        fmt::format("there are more than {} ways to draw nodes and partitions", kMostCards)};
  }
  std::vector<Cards> out;
  for (const Cards& card : cards) {
    for (const auto& way : ways) {
      out.push_back(card);
      add(out.back(), way);
    }
  }
  cards = std::move(out);
  return {};
}

}  // namespace

std::string Cards::show() const {
  std::string out;
  const auto add = [&](const std::string& name, const std::string& text) {
    out += (out.empty() ? "" : ", ") + name + " = " + text;
  };
  for (const auto& [name, node] : nodes) add(name, std::to_string(node.value));
  for (const auto& [name, number] : numbers) add(name, std::to_string(number));
  for (const auto& [name, assigned] : parts) {
    std::map<int, std::string> blocks;
    for (const auto& [node, part] : assigned) {
      std::string& block = blocks[part];
      block += (block.empty() ? "" : ",") + std::to_string(node.value);
    }
    std::string text;
    for (const auto& [part, block] : blocks) text += (text.empty() ? "" : " | ") + block;
    add(name, text);
  }
  return out;
}

Result<std::vector<Cards>> all_cards(const Scenario::Declaration& scenario, const Cast& cast) {
  std::vector<Cards> cards(1);
  const std::vector<NodeId> nodes = cast.nodes();
  for (const Scenario::Draw& draw : scenario.draws) {
    const auto done = multiply(cards, draw.among.empty() ? nodes : draw.among,
                               [&](Cards& card, NodeId node) { card.nodes[draw.name] = node; });
    if (!done) return done.error();
  }
  for (const Scenario::DrawnNumber& drawn : scenario.numbers) {
    std::vector<uint32_t> ways(std::min<size_t>(drawn.below, kMostCards + 1));
    std::iota(ways.begin(), ways.end(), 0U);
    const auto done = multiply(
        cards, ways, [&](Cards& card, uint32_t number) { card.numbers[drawn.name] = number; });
    if (!done) return done.error();
  }
  for (const Scenario::PartitionDeclaration& partition : scenario.partitions) {
    const auto done = multiply(
        cards, ways_of(partition, nodes),
        [&](Cards& card, const std::map<NodeId, int>& way) { card.parts[partition.name] = way; });
    if (!done) return done.error();
  }
  if (mutant(Mutant::kDrawForgotten) && cards.size() > 1) cards.pop_back();
  if (cards.empty()) return Error{"there is no way to draw nodes and partitions: no nodes"};
  return cards;
}

}  // namespace ordeal::monitor
