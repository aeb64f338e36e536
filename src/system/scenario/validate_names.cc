#include "system/scenario/validate_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/text.h"
#include "system/scenario/satisfiable.h"

namespace ordeal::monitor {
namespace {

using Kind = Condition::Kind;

std::vector<std::string> names_of(const std::vector<const value::Type*>& types) {
  std::vector<std::string> out;
  out.reserve(types.size());
  for (const value::Type* type : types) out.emplace_back(type->name());
  return out;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "'" : ", '") + name + "'";
  return out;
}

bool has(const std::vector<NodeId>& nodes, NodeId node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

bool handles(const Cast::Member& member, const value::Type& type) {
  return std::any_of(member.messages.begin(), member.messages.end(),
                     [&](const value::Type* known) { return known->same_as(type); });
}

}  // namespace

Error error_at(const Where& where, const std::string& text) {
  return Error{fmt::format("{}:{}: {}", where.file_name(), where.line(), text)};
}

std::string show_nodes(const std::vector<NodeId>& nodes) {
  std::vector<int> numbers;
  numbers.reserve(nodes.size());
  for (NodeId node : nodes) numbers.push_back(node.value);
  std::sort(numbers.begin(), numbers.end());
  if (numbers.empty()) return "no nodes";
  if (numbers.size() == 1) return fmt::format("node {}", numbers[0]);
  const int last = numbers.back();
  if (numbers.size() > 2 && last - numbers[0] + 1 == static_cast<int>(numbers.size())) {
    return fmt::format("nodes {} to {}", numbers[0], last);
  }
  return "nodes " + enumeration(numbers);
}

std::string show_types(const std::vector<const value::Type*>& types) {
  return types.empty() ? "no message at all" : join(names_of(types), ", ");
}

std::vector<const value::Type*> message_types(const Cast& cast) {
  std::vector<const value::Type*> out;
  for (const Cast::Member& member : cast.members) {
    if (member.component) continue;
    for (const value::Type* type : member.messages) {
      if (std::find(out.begin(), out.end(), type) == out.end()) out.push_back(type);
    }
  }
  return out;
}

Names::Names(const Scenario::Declaration& scenario, const Cast& cast,
             const std::vector<Property>& properties)
    : scenario_(scenario), cast_(cast), properties_(properties), nodes_(cast.nodes()) {
  for (const Filter& filter : scenario.filters) {
    for (const Reaction& reaction : filter.reactions) {
      for_each_inside(reaction, [&](const Reaction& r) {
        const Reaction::Node& node = r.node();
        if (node.kind == Reaction::Kind::kHold) held_.insert(node.name);
        if (node.kind == Reaction::Kind::kCount) counted_.insert(node.name);
        if (node.kind == Reaction::Kind::kRecord) recorded_.insert(node.name);
        if (node.kind == Reaction::Kind::kCustom) own_reactions_ = true;
      });
    }
  }
}

// --- Draws and partitions -----------------------------------------------------------------------

Result<void> Names::declared() const {
  std::set<std::string> names;
  for (const Scenario::Draw& draw : scenario_.draws) {
    if (!names.insert(draw.name).second) {
      return error_at(draw.where, fmt::format("a node called '{}' is drawn twice; give each a name "
                                              "of its own",
                                              draw.name));
    }
    if (nodes_.empty()) {
      return error_at(draw.where,
                      fmt::format("'{}' is to be drawn, but a raw model has no nodes", draw.name));
    }
    for (NodeId node : draw.among) {
      if (has(nodes_, node)) continue;
      return error_at(draw.where, fmt::format("'{}' is drawn among others from node {}, which does "
                                              "not exist; there are {}",
                                              draw.name, node.value, show_nodes(nodes_)));
    }
  }
  names.clear();
  for (const Scenario::PartitionDeclaration& partition : scenario_.partitions) {
    if (!names.insert(partition.name).second) {
      return error_at(partition.where, fmt::format("there are two partitions called '{}'; give "
                                                   "each a name of its own",
                                                   partition.name));
    }
    if (Result<void> divided = divides(partition); !divided) return divided;
  }
  return {};
}

Result<void> Names::divides(const Scenario::PartitionDeclaration& partition) const {
  const auto error = [&](const std::string& text) {
    return error_at(partition.where, fmt::format("partition '{}' {}", partition.name, text));
  };
  if (nodes_.empty()) return error("has nothing to divide: a raw model has no nodes");
  if (partition.blocks.empty()) {
    const int sum = std::accumulate(partition.sizes.begin(), partition.sizes.end(), 0);
    for (int size : partition.sizes) {
      if (size <= 0)
        return error(fmt::format("has a part of size {}; give every part a node", size));
    }
    if (sum == static_cast<int>(nodes_.size())) return {};
    return error(
        fmt::format("has parts of {} nodes in all, but there are {}; the sizes must add "
                    "up to the nodes",
                    sum, nodes_.size()));
  }
  std::map<NodeId, size_t> part_of;
  for (size_t part = 0; part < partition.blocks.size(); ++part) {
    if (partition.blocks[part].empty()) {
      return error(fmt::format("has nobody in part {}; give every part a node", part));
    }
    for (NodeId node : partition.blocks[part]) {
      if (!has(nodes_, node)) {
        return error(fmt::format("has node {} in part {}, which does not exist; there are {}",
                                 node.value, part, show_nodes(nodes_)));
      }
      const auto [at, is_new] = part_of.emplace(node, part);
      if (is_new) continue;
      return error(fmt::format("has node {} in parts {} and {}; a node is in one part", node.value,
                               at->second, part));
    }
  }
  std::vector<NodeId> missing;
  for (NodeId node : nodes_) {
    if (!part_of.contains(node)) missing.push_back(node);
  }
  if (missing.empty()) return {};
  return error(fmt::format("leaves out {}; every node is in a part", show_nodes(missing)));
}

Result<std::vector<NodeId>> Names::nodes_of(const Who& who, const Where& where) const {
  if (who.is_drawn()) {
    std::vector<std::string> known;
    for (const Scenario::Draw& draw : scenario_.draws) {
      if (draw.name == who.name()) return draw.among.empty() ? nodes_ : draw.among;
      known.push_back(draw.name);
    }
    return error_at(where, fmt::format("no node called '{}' is drawn{}; draw it with "
                                       "scenario.draw(\"{}\")",
                                       who.name(), did_you_mean(who.name(), known), who.name()));
  }
  const Cast::Member* member = cast_.find(who.id());
  if (member == nullptr) {
    return error_at(where, fmt::format("there is no node {}; there are {}", who.id().value,
                                       show_nodes(nodes_)));
  }
  return std::vector<NodeId>{who.id()};
}

// --- Conditions ---------------------------------------------------------------------------------

Result<void> Names::in(const Condition& condition) const {
  if (Result<void> fine = one(condition); !fine) return fine;
  for (const Condition& inner : condition.node().inner) {
    if (Result<void> fine = in(inner); !fine) return fine;
  }
  return {};
}

Result<void> Names::one(const Condition& condition) const {
  const Condition::Node& node = condition.node();
  switch (node.kind) {
    case Kind::kBetween:
      if (auto other = nodes_of(node.other, node.where); !other) return other.error();
      [[fallthrough]];
    case Kind::kAt:
    case Kind::kFrom:
    case Kind::kTo:
      if (auto who = nodes_of(node.who, node.where); !who) return who.error();
      return {};
    case Kind::kMessageType:
      return message_type(node);
    case Kind::kState:
      return state_type(node);
    case Kind::kCounter:
    case Kind::kSetSize:
    case Kind::kInSet:
      return remembered(node);
    case Kind::kInState:
      return machine_state(node);
    case Kind::kFromPart:
    case Kind::kAcross:
    case Kind::kWithin:
      return part(node);
    case Kind::kHolds:
      return property(node.name, node.where);
    default:
      return {};
  }
}

Result<void> Names::message_type(const Condition::Node& node) const {
  const std::vector<const value::Type*> types = message_types(cast_);
  std::vector<const value::Type*> called;
  for (const value::Type* type : types) {
    if (type->name() != node.name) continue;
    if (node.type != nullptr && node.type->same_as(*type)) return {};
    called.push_back(type);
  }
  if (node.type == nullptr && called.size() == 1) return {};
  if (node.type == nullptr && called.size() > 1) {
    return error_at(node.where,
                    fmt::format("{} types of messages are called {}: {} and {}; say which one: "
                                "is_message<{}>()",
                                called.size(), node.name, called[0]->full_name(),
                                called[1]->full_name(), called[0]->full_name()));
  }
  if (!called.empty()) {
    return error_at(node.where, fmt::format("no node handles messages of type {}, but of another "
                                            "type called {}",
                                            node.type->full_name(), node.name));
  }
  return error_at(
      node.where,
      fmt::format("no node handles messages of type {}{}; the nodes handle {}", node.name,
                  did_you_mean(node.name, names_of(types)), show_types(types)));
}

Result<void> Names::state_type(const Condition::Node& node) const {
  std::vector<const value::Type*> types;
  bool live = false;
  for (const Cast::Member& member : cast_.members) {
    if (member.state == nullptr) {
      live = true;
    } else if (std::find(types.begin(), types.end(), member.state) == types.end()) {
      types.push_back(member.state);
    }
  }
  for (const value::Type* type : types) {
    if (type->same_as(*node.type)) return {};
  }
  if (live) {
    return error_at(
        node.where,
        fmt::format("no node is a {} whose state can be read: nodes added with "
                    "add_opaque() are opaque objects; use what they send, log and decide",
                    node.name));
  }
  return error_at(node.where, fmt::format("no node is a {}; the nodes are {}", node.name,
                                          types.empty() ? "none: this is a raw model"
                                                        : join(names_of(types), ", ")));
}

Result<void> Names::made(const std::string& name, const std::set<std::string>& known,
                         const Where& where, const char* what, const char* made) const {
  if (own_reactions_ || known.contains(name)) return {};
  const std::vector<std::string> all(known.begin(), known.end());
  return error_at(where, fmt::format("{} '{}' stays empty: no filter has {}(\"{}\"){}", what, name,
                                     made, name, did_you_mean(name, all)));
}

Result<void> Names::remembered(const Condition::Node& node) const {
  if (node.kind == Kind::kCounter) {
    if (own_reactions_ || counted_.contains(node.name)) return {};
    const std::vector<std::string> all(counted_.begin(), counted_.end());
    return error_at(node.where, fmt::format("counter '{}' stays 0: no filter has count(\"{}\"){}",
                                            node.name, node.name, did_you_mean(node.name, all)));
  }
  return made(node.name, held_, node.where, "set", "hold");
}

Result<void> Names::machine_state(const Condition::Node& node) const {
  if (scenario_.machine.empty()) {
    return error_at(node.where,
                    fmt::format("in_state(\"{}\"): the scenario has no machine; give it "
                                "one with machine()",
                                node.name));
  }
  if (scenario_.machine[0].find(node.name) >= 0) return {};
  std::vector<std::string> names;
  for (const Machine::State& state : scenario_.machine[0].states()) names.push_back(state.name);
  return error_at(node.where, fmt::format("the machine has no state '{}'{}; it has {}", node.name,
                                          did_you_mean(node.name, names), quoted_list(names)));
}

Result<void> Names::part(const Condition::Node& node) const {
  std::vector<std::string> names;
  for (const Scenario::PartitionDeclaration& known : scenario_.partitions) {
    names.push_back(known.name);
    if (known.name != node.name) continue;
    const size_t parts = known.blocks.empty() ? known.sizes.size() : known.blocks.size();
    const bool there = node.number >= 0 && node.number < static_cast<int64_t>(parts);
    if (node.kind != Kind::kFromPart || there) return {};
    return error_at(node.where, fmt::format("partition '{}' has no part {}; its parts are 0 to {}",
                                            node.name, node.number, parts - 1));
  }
  return error_at(node.where, fmt::format("there is no partition '{}'{}; declare it with "
                                          "scenario.partition(\"{}\", …)",
                                          node.name, did_you_mean(node.name, names), node.name));
}

Result<void> Names::property(const std::string& name, const Where& where) const {
  std::vector<std::string> names;
  for (const Property& property : properties_) {
    if (property.name == name) return {};
    names.push_back(property.name);
  }
  return error_at(where, fmt::format("the system has no property '{}'{}; it has {}", name,
                                     did_you_mean(name, names), quoted_list(names)));
}

// --- Reactions ----------------------------------------------------------------------------------

Result<void> Names::in(const Reaction& reaction) const {
  if (Result<void> fine = one(reaction); !fine) return fine;
  for (const Reaction& inner : reaction.node().inner) {
    if (Result<void> fine = in(inner); !fine) return fine;
  }
  return {};
}

Result<void> Names::one(const Reaction& reaction) const {
  const Reaction::Node& node = reaction.node();
  switch (node.kind) {
    case Reaction::Kind::kRelease:
      return made(node.name, held_, node.where, "set", "hold");
    case Reaction::Kind::kResend:
      return made(node.name, recorded_, node.where, "label", "record");
    case Reaction::Kind::kInject:
      return inject(node);
    case Reaction::Kind::kCrash:
    case Reaction::Kind::kRestart:
    case Reaction::Kind::kFire:
      return crash(node);
    case Reaction::Kind::kDelay:
      if (node.number > 0) return {};
      return error_at(node.where, "delay(0) delays nothing; say for how many steps");
    case Reaction::Kind::kDuplicate:
      if (node.number > 0) return {};
      return error_at(node.where, "duplicate(0) adds nothing; say how many copies come to it");
    default:
      return {};
  }
}

Result<void> Names::inject(const Reaction::Node& node) const {
  if (node.payload.empty()) return error_at(node.where, "what is injected here carries no value");
  if (auto from = nodes_of(node.who, node.where); !from) return from.error();
  const Result<std::vector<NodeId>> to = nodes_of(node.to, node.where);
  if (!to) return to.error();
  for (NodeId id : *to) {
    const Cast::Member* member = cast_.find(id);
    if (member == nullptr) continue;
    if (member->component) {
      return error_at(node.where, fmt::format("node {} is the component '{}': no message can be "
                                              "injected there; inject what it would post",
                                              id.value, member->name));
    }
    if (handles(*member, *node.type)) continue;
    return error_at(node.where, fmt::format("node {} does not handle {}; it handles {}", id.value,
                                            node.type->name(), show_types(member->messages)));
  }
  return {};
}

Result<void> Names::crash(const Reaction::Node& node) const {
  const Result<std::vector<NodeId>> who = nodes_of(node.who, node.where);
  if (!who) return who.error();
  const char* what = node.kind == Reaction::Kind::kCrash     ? "crash"
                     : node.kind == Reaction::Kind::kRestart ? "restart"
                                                             : "fire a timer";
  std::vector<NodeId> may_crash;
  for (const Cast::Member& member : cast_.members) {
    if (member.may_crash) may_crash.push_back(member.id);
  }
  for (NodeId id : *who) {
    const Cast::Member* member = cast_.find(id);
    if (member == nullptr) continue;
    if (member->component) {
      return error_at(node.where, fmt::format("node {} is the component '{}', which does not {}; "
                                              "there are {}",
                                              id.value, member->name, what, show_nodes(nodes_)));
    }
    if (node.kind == Reaction::Kind::kFire || member->may_crash) continue;
    if (may_crash.empty()) {
      return error_at(node.where, fmt::format("no node of this system may crash, so node {} cannot "
                                              "{}; say which may with System::crash()",
                                              id.value, what));
    }
    return error_at(node.where,
                    fmt::format("node {} may not crash, so it cannot {}; of this system {} may",
                                id.value, what, show_nodes(may_crash)));
  }
  if (node.kind == Reaction::Kind::kRestart && !cast_.recoveries) {
    return error_at(node.where,
                    "crashed nodes of this system stay down; let them come back with "
                    "System::recoveries()");
  }
  return {};
}

}  // namespace ordeal::monitor
