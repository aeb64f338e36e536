#include "ordeal/system.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "base/mutant.h"
#include "system/actor/declaration.h"
#include "system/actor/like_nodes.h"
#include "system/actor/space.h"
#include "system/opaque/opaque_world.h"
#include "system/symmetry/symmetry.h"

namespace ordeal {

// Behind a pointer: a system can be moved, a mutex cannot.
struct System::Declared {
  detail::Declaration content;
  std::mutex mutex;
  std::shared_ptr<const detail::Declaration> settled;  // null: something was declared since
  std::optional<std::vector<std::vector<int>>> early;  // Mutant::kSettledTooEarly: ways to split
};

System::System() : declared_(std::make_unique<Declared>()) {
  properties_.push_back({"no handler fails", PropertyKind::kAlways});
}
System::System(System&&) noexcept = default;
System& System::operator=(System&&) noexcept = default;
System::~System() = default;

detail::Declaration& System::declare() {
  declared_->settled.reset();
  return declared_->content;
}

std::shared_ptr<const detail::Declaration> System::settled() const {
  const std::lock_guard lock(declared_->mutex);
  if (declared_->settled == nullptr) {
    detail::Declaration all = detail::settled(declared_->content);
    if (declared_->early) {
      all.partitions = *declared_->early;
      for (std::vector<int>& blocks : all.partitions) blocks.resize(all.nodes.size());
    }
    declared_->settled = std::make_shared<const detail::Declaration>(std::move(all));
  }
  return declared_->settled;
}

System& System::first_id(int id) {
  declare().first_id = id;
  return *this;
}

System& System::add_nodes(int count, detail::NodeDeclaration node) {
  detail::Declaration& d = declare();
  for (int i = 1; i < count; ++i) d.nodes.push_back(node);
  if (count > 0) d.nodes.push_back(std::move(node));
  return *this;
}

NodeId System::add_component(detail::NodeDeclaration node) {
  detail::Declaration& d = declare();
  node.given = d.first_id + static_cast<int>(d.nodes.size());
  d.nodes.push_back(std::move(node));
  return d.nodes.back().given;
}

System& System::add_request(NodeId node, value::Any request) {
  declare().requests.emplace_back(node, std::move(request));
  return *this;
}

System& System::network(Network kind) {
  declare().network = kind;
  return *this;
}
System& System::drops(uint32_t budget) {
  declare().drops = budget;
  return *this;
}
System& System::duplicates(uint32_t budget) {
  declare().duplicates = budget;
  return *this;
}
System& System::skip_noops(bool on) {
  declare().skip_noops = on;
  return *this;
}
System& System::never_chooses(bool on) {
  declare().never_chooses = on;
  return *this;
}
System& System::timed(bool on) {
  declare().says_timed = on;
  return *this;
}
System& System::prompt(bool on) {
  declare().prompt = on;
  return *this;
}

System& System::crash(std::vector<NodeId> nodes, int max) {
  detail::Declaration& d = declare();
  d.crashes = max >= 0 ? static_cast<uint32_t>(max) : static_cast<uint32_t>(nodes.size());
  d.may_crash = std::move(nodes);
  ++d.crash_lists;
  return *this;
}
System& System::recoveries(uint32_t budget) {
  declare().recoveries = budget;
  return *this;
}
System& System::crash_at_persist(bool on) {
  declare().crash_at_persist = on;
  return *this;
}
System& System::detector(Detector kind, uint32_t wrong_suspicions_per_pair) {
  detail::Declaration& d = declare();
  d.detector = kind;
  d.wrong_suspicions = wrong_suspicions_per_pair;
  return *this;
}

System& System::free_faults() {
  declare().free_faults = true;
  return *this;
}

Result<std::unique_ptr<Checkable>> System::with_free_faults() const {
  auto copy = std::make_unique<System>();
  copy->declared_->content = declared_->content;
  copy->properties_ = properties_;
  copy->free_faults();
  return std::unique_ptr<Checkable>(std::move(copy));
}

System& System::partitions(uint32_t budget) {
  detail::Declaration& d = declare();
  d.partition_budget = budget;
  d.splits.reset();
  if (mutant(Mutant::kSettledTooEarly)) declared_->early = detail::settled(d).partitions;
  return *this;
}
System& System::partitions(uint32_t budget, std::vector<detail::Split> splits) {
  detail::Declaration& d = declare();
  d.partition_budget = budget;
  d.splits = std::move(splits);
  return *this;
}

System& System::alike(std::vector<NodeId> nodes) {
  declare().alike.push_back(std::move(nodes));
  return *this;
}
System& System::add_alike(detail::Declaration::LikeType type) {
  declare().alike_types.push_back(std::move(type));
  return *this;
}

System& System::add_property(std::string name, PropertyKind kind, Predicate predicate) {
  const Property property{std::move(name), kind, predicate.reads()};
  properties_.push_back(property);
  declare().properties.push_back({property, std::move(predicate)});
  return *this;
}
System& System::always(std::string name, Predicate predicate) {
  return add_property(std::move(name), PropertyKind::kAlways, std::move(predicate));
}
System& System::sometimes(std::string name, Predicate predicate) {
  return add_property(std::move(name), PropertyKind::kSometimes, std::move(predicate));
}
System& System::eventually(std::string name, Predicate predicate) {
  add_property(std::move(name), PropertyKind::kEventually, std::move(predicate));
  detail::Declaration& d = declare();
  const uint32_t atom = static_cast<uint32_t>(d.atoms.size());
  d.atoms.push_back({.property = static_cast<uint32_t>(d.properties.size() - 1)});
  d.claims.push_back(
      {static_cast<uint32_t>(properties_.size() - 1), formula::eventually(formula::state(atom))});
  return *this;
}
// It is about runs that end.
System& System::add_no_deadlock(std::function<bool(const View&)> done) {
  const auto holds = [done = std::move(done)](const View& view) -> Outcome {
    if (done(view)) return true;
    return violated("nothing can happen any more, and the run is not done");
  };
  add_property("no deadlock", PropertyKind::kEventually, holds);
  declare().claims.push_back({static_cast<uint32_t>(properties_.size() - 1), {}});
  return *this;
}

// --- Of runs -----------------------------------------------------------------------------------

Formula System::atom(Predicate predicate) {
  detail::Declaration& d = declare();
  d.atoms.push_back({.predicate = std::move(predicate)});
  return formula::state(static_cast<uint32_t>(d.atoms.size() - 1));
}
System& System::claim(std::string name, Formula formula, std::string word) {
  Property property{std::move(name), PropertyKind::kAlways};
  property.on_runs = true;
  property.word = std::move(word);
  properties_.push_back(property);
  detail::Declaration& d = declare();
  d.properties.push_back({property, Predicate([](const View&) { return true; })});
  d.claims.push_back({static_cast<uint32_t>(properties_.size() - 1), std::move(formula)});
  return *this;
}
System& System::leads_to(std::string name, Predicate from, Predicate to) {
  const Formula first = atom(std::move(from));
  return claim(std::move(name), formula::leads_to(first, atom(std::move(to))), "leads-to");
}
System& System::infinitely_often(std::string name, Predicate predicate) {
  return claim(std::move(name), formula::always(formula::eventually(atom(std::move(predicate)))),
               "infinitely-often");
}
System& System::eventually_always(std::string name, Predicate predicate) {
  return claim(std::move(name), formula::eventually(formula::always(atom(std::move(predicate)))),
               "eventually-always");
}
System& System::fair(Fair fair) {
  declare().fair.push_back(std::move(fair));
  return *this;
}
System& System::assume(Formula formula, std::string words) {
  detail::Declaration& d = declare();
  d.assumed.push_back(std::move(formula));
  d.assumed_words.push_back(std::move(words));
  return *this;
}
System& System::add_constraint(std::function<bool(const View&)> constraint) {
  declare().constraints.push_back(std::move(constraint));
  return *this;
}

std::shared_ptr<StateSpace> System::space() const {
  if (actor::is_opaque(declaration())) return nullptr;
  return std::make_shared<actor::ActorSpace>(settled(), properties_);
}

std::unique_ptr<World> System::world() const {
  if (actor::is_opaque(declaration())) return actor::opaque_world(settled(), properties_);
  return run_world(space());
}

Result<std::shared_ptr<Symmetry>> System::symmetry() const {
  const detail::Declaration& d = declaration();
  if (actor::is_opaque(d)) {
    return Error{"symmetry: opaque nodes cannot be renamed; only systems of value nodes can"};
  }
  if (d.repeat_requests) {
    return Error{"symmetry: requests that may be made again name their nodes (free_faults)"};
  }
  Result<detail::Points> points =
      detail::Points::of(d.first_id, actor::like_nodes(d), d.interchangeable);
  if (!points) return points.error();
  return std::shared_ptr<Symmetry>(std::make_shared<actor::ActorSymmetry>(
      std::make_shared<actor::ActorSpace>(settled(), properties_), std::move(*points)));
}

Cast System::cast() const {
  const detail::Declaration& d = declaration();
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
  out.ordered = d.network == Network::kOrdered;
  out.prompt = d.prompt;
  return out;
}

System& System::add_family(detail::Declaration::Family family) {
  declare().predicates.push_back(std::move(family));
  return *this;
}
System& System::waypoints(std::string name, const std::string& predicates, std::string what) {
  declare().waypoints.push_back(
      {std::move(name), split_predicates(predicates, ','), std::move(what)});
  return *this;
}

Steering System::steering() const {
  const detail::Declaration& d = declaration();
  Steering out;
  for (const auto& colour : d.colours) {
    const auto known =
        std::find_if(out.colourings.begin(), out.colourings.end(),
                     [&](const Colouring& one) { return one.name == colour.colouring.name; });
    if (colour.colouring.name == kDefaultColouring) continue;
    if (known == out.colourings.end()) {
      out.colourings.push_back(colour.colouring);
    } else if (known->what.empty()) {
      known->what = colour.colouring.what;
    }
  }
  for (const auto& one : d.predicates) out.predicates.push_back(one.family);
  out.waypoints = d.waypoints;
  out.machines = d.machines;
  return out;
}

System& System::reward_machine(std::string name, std::string text, std::string what) {
  declare().machines.push_back({std::move(name), std::move(text), std::move(what)});
  return *this;
}

Result<void> System::validate() const {
  if (auto valid = actor::validate(declaration()); !valid) return valid;
  if (auto valid = validate_steering(steering()); !valid) return valid;
  return detail::validate_names(properties_);
}

}  // namespace ordeal
