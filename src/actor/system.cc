#include "ordeal/system.h"

#include <algorithm>
#include <set>

#include "actor/like_nodes.h"
#include "actor/opaque_world.h"
#include "actor/space.h"
#include "actor/symmetry.h"

namespace ordeal {

System::System() : declaration_(std::make_shared<detail::Declaration>()) {
  properties_.push_back({"no handler fails", PropertyKind::kAlways});
}
System::System(System&&) noexcept = default;
System& System::operator=(System&&) noexcept = default;
System::~System() = default;

System& System::first_id(int id) {
  declaration_->first_id = id;
  return *this;
}

System& System::add_nodes(int count, detail::NodeDeclaration node) {
  for (int i = 1; i < count; ++i) declaration_->nodes.push_back(node);
  if (count > 0) declaration_->nodes.push_back(std::move(node));
  return *this;
}

NodeId System::add_component(detail::NodeDeclaration node) {
  declaration_->nodes.push_back(std::move(node));
  return declaration_->first_id + static_cast<int>(declaration_->nodes.size()) - 1;
}

System& System::add_request(NodeId node, value::Any request) {
  declaration_->requests.emplace_back(node, std::move(request));
  return *this;
}

System& System::network(Network kind) {
  declaration_->network = kind;
  return *this;
}
System& System::drops(uint32_t budget) {
  declaration_->drops = budget;
  return *this;
}
System& System::duplicates(uint32_t budget) {
  declaration_->duplicates = budget;
  return *this;
}
System& System::skip_noops(bool on) {
  declaration_->skip_noops = on;
  return *this;
}
System& System::timed(bool on) {
  declaration_->timed = on;
  declaration_->prompt = declaration_->prompt && on;
  return *this;
}
System& System::prompt(bool on) {
  declaration_->timed = declaration_->timed || on;
  declaration_->prompt = on;
  return *this;
}

System& System::crash(std::vector<NodeId> nodes, int max) {
  declaration_->crashes =
      max >= 0 ? static_cast<uint32_t>(max) : static_cast<uint32_t>(nodes.size());
  declaration_->may_crash = std::move(nodes);
  return *this;
}
System& System::recoveries(uint32_t budget) {
  declaration_->recoveries = budget;
  return *this;
}
System& System::crash_at_persist(bool on) {
  declaration_->crash_at_persist = on;
  return *this;
}
System& System::detector(Detector kind, uint32_t wrong_suspicions_per_pair) {
  declaration_->detector = kind;
  declaration_->wrong_suspicions = wrong_suspicions_per_pair;
  return *this;
}

System& System::free_faults() {
  // Budgets that no person uses up.
  constexpr uint32_t kPlenty = 1'000'000'000;
  std::vector<NodeId> nodes;
  for (size_t i = 0; i < declaration_->nodes.size(); ++i) {
    if (!declaration_->nodes[i].component) {
      nodes.push_back(NodeId{declaration_->first_id + static_cast<int>(i)});
    }
  }
  crash(std::move(nodes), static_cast<int>(kPlenty));
  recoveries(kPlenty).drops(kPlenty).duplicates(kPlenty).crash_at_persist(false).timed(false);
  skip_noops(false);
  declaration_->partitions.clear();
  declaration_->partition_budget = 0;
  declaration_->repeat_requests = true;
  return *this;
}

Result<std::unique_ptr<Checkable>> System::with_free_faults() const {
  auto copy = std::make_unique<System>();
  copy->declaration_ = std::make_shared<detail::Declaration>(*declaration_);
  copy->properties_ = properties_;
  copy->free_faults();
  return std::unique_ptr<Checkable>(std::move(copy));
}

System& System::partitions(uint32_t budget) {
  declaration_->partition_budget = budget;
  declaration_->partitions.clear();
  size_t nodes = 0;
  for (const auto& node : declaration_->nodes) nodes += node.component ? 0 : 1;
  // Every split in two, once: the first node is always in block 0. Larger systems list theirs.
  for (uint64_t mask = 1; nodes <= 20 && mask < (uint64_t{1} << (nodes > 0 ? nodes - 1 : 0));
       ++mask) {
    std::vector<int> blocks(nodes, 0);
    for (size_t i = 1; i < nodes; ++i) blocks[i] = static_cast<int>(mask >> (i - 1) & 1);
    declaration_->partitions.push_back(std::move(blocks));
  }
  return *this;
}

System& System::partitions(uint32_t budget,
                           const std::vector<std::vector<std::vector<NodeId>>>& splits) {
  declaration_->partition_budget = budget;
  declaration_->partitions.clear();
  for (const auto& split : splits) {
    // Nodes that no block names are together in a block of their own.
    std::vector<int> blocks(declaration_->nodes.size(), static_cast<int>(split.size()));
    for (size_t block = 0; block < split.size(); ++block) {
      for (NodeId id : split[block]) {
        const size_t position = static_cast<size_t>(id.value - declaration_->first_id);
        if (position < blocks.size()) blocks[position] = static_cast<int>(block);
      }
    }
    auto& known = declaration_->partitions;
    if (std::find(known.begin(), known.end(), blocks) == known.end()) {
      known.push_back(std::move(blocks));
    }
  }
  return *this;
}

System& System::alike(std::vector<NodeId> nodes) {
  declaration_->alike.push_back(std::move(nodes));
  return *this;
}
System& System::add_alike(std::string_view type) {
  declaration_->alike_types.emplace_back(type);
  return *this;
}

System& System::add_property(std::string name, PropertyKind kind, Predicate predicate) {
  const Property property{std::move(name), kind, predicate.reads()};
  properties_.push_back(property);
  declaration_->properties.push_back({property, std::move(predicate)});
  return *this;
}
System& System::always(std::string name, Predicate predicate) {
  return add_property(std::move(name), PropertyKind::kAlways, std::move(predicate));
}
System& System::sometimes(std::string name, Predicate predicate) {
  return add_property(std::move(name), PropertyKind::kSometimes, std::move(predicate));
}
System& System::eventually(std::string name, Predicate predicate) {
  return add_property(std::move(name), PropertyKind::kEventually, std::move(predicate));
}
System& System::no_deadlock(std::function<bool(const View&)> done) {
  return eventually("no deadlock", [done = std::move(done)](const View& view) -> Outcome {
    if (done(view)) return true;
    return violated("nothing can happen any more, and the run is not done");
  });
}
System& System::within(std::function<bool(const View&)> constraint) {
  declaration_->constraints.push_back(std::move(constraint));
  return *this;
}

namespace {

bool is_opaque(const detail::Declaration& declaration) {
  return std::any_of(declaration.nodes.begin(), declaration.nodes.end(),
                     [](const detail::NodeDeclaration& node) { return !node.make_value; });
}

bool handles(const std::vector<detail::NodeType::Handler>& handlers, const value::Any& payload) {
  return std::any_of(handlers.begin(), handlers.end(),
                     [&](const detail::NodeType::Handler& h) { return h.type == payload.type(); });
}

}  // namespace

std::shared_ptr<StateSpace> System::space() const {
  if (is_opaque(*declaration_)) return nullptr;
  return std::make_shared<actor::ActorSpace>(declaration_, properties_);
}

std::unique_ptr<World> System::world() const {
  if (is_opaque(*declaration_)) return actor::opaque_world(declaration_, properties_);
  return run_world(space());
}

Result<std::shared_ptr<Symmetry>> System::symmetry() const {
  if (is_opaque(*declaration_)) {
    return Error{"symmetry: opaque nodes cannot be renamed; only systems of value nodes can"};
  }
  if (declaration_->repeat_requests) {
    return Error{"symmetry: requests that may be made again name their nodes (free_faults)"};
  }
  Result<detail::Points> points = detail::Points::of(
      declaration_->first_id, actor::like_nodes(*declaration_), declaration_->interchangeable);
  if (!points) return points.error();
  return std::shared_ptr<Symmetry>(std::make_shared<actor::ActorSymmetry>(
      std::make_shared<actor::ActorSpace>(declaration_, properties_), std::move(*points)));
}

Cast System::cast() const {
  const detail::Declaration& d = *declaration_;
  Cast out;
  for (size_t i = 0; i < d.nodes.size(); ++i) {
    const detail::NodeDeclaration& node = d.nodes[i];
    Cast::Member member;
    member.id = d.first_id + static_cast<int>(i);
    member.name = node.name;
    member.state = node.type->type;
    member.component = node.component;
    for (const auto& handler : node.type->messages) member.messages.push_back(handler.type);
    for (const auto& handler : node.type->requests) member.requests.push_back(handler.type);
    member.may_crash =
        std::find(d.may_crash.begin(), d.may_crash.end(), member.id) != d.may_crash.end();
    out.members.push_back(std::move(member));
  }
  out.recoveries = d.recoveries > 0;
  out.timed = d.timed;
  out.prompt = d.prompt;
  return out;
}

Result<void> System::validate() const {
  const detail::Declaration& d = *declaration_;
  size_t nodes = 0;
  for (size_t i = 0; i < d.nodes.size(); ++i) {
    if (d.nodes[i].component) continue;
    if (i != nodes) return Error{"add all nodes before the first component"};
    ++nodes;
  }
  if (nodes == 0) return Error{"the system has no nodes; add some with add<T>(count)"};
  if (d.nodes.size() > 1000) {
    return Error{"the system has " + std::to_string(d.nodes.size()) +
                 " nodes and components; at most 1000 are supported"};
  }
  const int last = d.first_id + static_cast<int>(nodes) - 1;
  const std::string range =
      "nodes are " + std::to_string(d.first_id) + " to " + std::to_string(last);
  for (NodeId id : d.may_crash) {
    if (id.value < d.first_id || id.value > last) {
      return Error{"node " + std::to_string(id.value) +
                   " may crash, but there is no such node: " + range};
    }
  }
  if (std::set<int>(d.may_crash.begin(), d.may_crash.end()).size() != d.may_crash.size()) {
    return Error{"a node is listed twice among those that may crash"};
  }
  for (const auto& [id, request] : d.requests) {
    const std::string what =
        "request " + std::string(request.type_name()) + " to node " + std::to_string(id.value);
    if (id.value < d.first_id || id.value > last) {
      return Error{what + ": there is no such node: " + range};
    }
    const detail::NodeType& type = *d.nodes[id.value - d.first_id].type;
    if (!handles(type.requests, request)) {
      return Error{what + ": " + std::string(type.name) +
                   " does not list it in its Requests, or has no handler for it"};
    }
  }
  if (d.recoveries > 0 && d.may_crash.empty()) {
    return Error{"recoveries are allowed, but no node may crash: see System::crash"};
  }
  if (d.partition_budget > 0 && d.partitions.empty()) {
    return Error{"partitions are allowed, but there is no way to split the nodes"};
  }
  if (d.prompt && d.network == Network::kSet) {
    return Error{
        "prompt() does not fit a set network: messages stay deliverable there, and time would "
        "never pass"};
  }
  if (const auto valid = actor::validate_alike(d); !valid) return valid;
  if (is_opaque(d) && d.crash_at_persist) {
    return Error{
        "crash_at_persist needs value nodes: where an opaque node persists is only known "
        "once its handler has run"};
  }
  if (is_opaque(d) && d.skip_noops) {
    return Error{
        "skip_noops needs value nodes: whether a delivery to an opaque node changes "
        "anything is only known once its handler has run"};
  }
  std::set<std::string> names;
  for (const Property& property : properties_) {
    if (!names.insert(property.name).second) {
      return Error{"two properties are named \"" + property.name + "\""};
    }
  }
  return {};
}

}  // namespace ordeal
