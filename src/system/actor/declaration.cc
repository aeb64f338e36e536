// What follows from a declaration, and what is wrong with it.
#include "system/actor/declaration.h"

#include <algorithm>
#include <set>

#include "base/guard.h"
#include "base/text.h"
#include "system/actor/like_nodes.h"

namespace ordeal::detail {
namespace {

constexpr size_t kMostToSplitFreely = 20;    // nodes: there are 2^(n - 1) - 1 ways
constexpr uint32_t kPlenty = 1'000'000'000;  // a budget that no person uses up

size_t node_count(const Declaration& declared) {
  return static_cast<size_t>(
      std::count_if(declared.nodes.begin(), declared.nodes.end(),
                    [](const NodeDeclaration& node) { return !node.component; }));
}

// Every split in two, once: the first node is always in block 0.
std::vector<std::vector<int>> all_splits(size_t nodes) {
  std::vector<std::vector<int>> out;
  if (nodes < 2 || nodes > kMostToSplitFreely) return out;
  for (uint64_t mask = 1; mask < uint64_t{1} << (nodes - 1); ++mask) {
    std::vector<int> blocks(nodes, 0);
    for (size_t i = 1; i < nodes; ++i) blocks[i] = static_cast<int>(mask >> (i - 1) & 1);
    out.push_back(std::move(blocks));
  }
  return out;
}

std::vector<int> blocks_of(const Split& split, size_t nodes, int first_id) {
  // Nodes that no block names are together in a block of their own.
  std::vector<int> blocks(nodes, static_cast<int>(split.size()));
  for (size_t block = 0; block < split.size(); ++block) {
    for (NodeId id : split[block]) {
      const auto position = static_cast<size_t>(id.value - first_id);
      if (position < blocks.size()) blocks[position] = static_cast<int>(block);
    }
  }
  return blocks;
}

void free_the_faults(Declaration& out) {
  out.may_crash.clear();
  for (size_t i = 0; i < out.nodes.size(); ++i) {
    if (!out.nodes[i].component) out.may_crash.emplace_back(out.first_id + static_cast<int>(i));
  }
  out.crashes = out.recoveries = out.drops = out.duplicates = kPlenty;
  out.crash_at_persist = out.prompt = out.timed = out.skip_noops = false;
  out.partition_budget = 0;
  out.repeat_requests = true;
}

}  // namespace

Declaration settled(const Declaration& declared) {
  Declaration out = declared;
  out.timed = declared.says_timed.value_or(false) || declared.prompt;
  if (declared.free_faults) free_the_faults(out);
  out.partitions.clear();
  if (out.partition_budget == 0) return out;
  const size_t nodes = node_count(out);
  if (!out.splits) {
    out.partitions = all_splits(nodes);
    return out;
  }
  for (const Split& split : *out.splits) {
    std::vector<int> blocks = blocks_of(split, nodes, out.first_id);
    const bool known =
        std::find(out.partitions.begin(), out.partitions.end(), blocks) != out.partitions.end();
    if (!known) out.partitions.push_back(std::move(blocks));
  }
  return out;
}

}  // namespace ordeal::detail

namespace ordeal::actor {
namespace {

using detail::Declaration;
using detail::NodeDeclaration;

class Validation {
 public:
  explicit Validation(const Declaration& settled)
      : d_(settled), count_(detail::node_count(settled)) {}

  Result<void> run() const {
    for (const auto check :
         {&Validation::nodes, &Validation::components, &Validation::factories, &Validation::budgets,
          &Validation::crashes, &Validation::requests, &Validation::partitions, &Validation::time,
          &Validation::opaque_objects, &Validation::properties, &Validation::fairness,
          &Validation::colours}) {
      if (auto valid = (this->*check)(); !valid) return valid;
    }
    return validate_alike(d_);
  }

 private:
  int last() const { return d_.first_id + static_cast<int>(count_) - 1; }
  std::string range() const {
    return "nodes are " + std::to_string(d_.first_id) + " to " + std::to_string(last());
  }
  bool exists(NodeId id) const { return id.value >= d_.first_id && id.value <= last(); }

  Result<void> nodes() const {
    for (size_t i = 0; i < count_; ++i) {
      if (d_.nodes[i].component) return Error{"add all nodes before the first component"};
    }
    if (count_ == 0) return Error{"the system has no nodes; add some with add<T>(count)"};
    if (d_.nodes.size() > 1000) {
      return Error{"the system has " + std::to_string(d_.nodes.size()) +
                   " nodes and components; at most 1000 are supported"};
    }
    if (d_.first_id < 0) {
      return Error{"the first node has id " + std::to_string(d_.first_id) +
                   "; ids are not negative, because -1 stands for nobody"};
    }
    for (const NodeDeclaration& node : d_.nodes) {
      if (!node.type->slip.empty()) return Error{node.type->slip};
      if (node.type->reads_disk && node.type->disk == nullptr) {
        return Error{"the node type " + node.type->name +
                     " has a handler `recover` that is given a disk, and no disk: see "
                     "dynamic::NodeType::disk"};
      }
    }
    return {};
  }

  Result<void> components() const {
    std::set<std::string> names;
    for (size_t i = count_; i < d_.nodes.size(); ++i) {
      const NodeDeclaration& component = d_.nodes[i];
      const std::string who = "component \"" + component.name + "\"";
      const int id = d_.first_id + static_cast<int>(i);
      if (component.given.value != id) {
        return Error{who + " was told that its id is " + std::to_string(component.given.value) +
                     ", but it is " + std::to_string(id) +
                     ": call first_id() before the first component is added"};
      }
      if (!names.insert(component.name).second) {
        return Error{"two components are named \"" + component.name + "\""};
      }
      const detail::NodeType& type = *component.type;
      const char* what = type.crashed != nullptr    ? "crashed"
                         : type.restored != nullptr ? "restored"
                         : type.recover != nullptr  ? "recover"
                         : !type.requests.empty()   ? "request"
                                                    : nullptr;
      if (what != nullptr) {
        return Error{who + " (" + std::string(type.name) + ") has a handler `" + what +
                     "`, which would never be called: components do not crash, no detector tells "
                     "them of crashes, and no client asks them"};
      }
    }
    return {};
  }

  // Nodes are made anew when they crash, and for every run: always the same ones.
  Result<void> factories() const {
    for (size_t i = 0; i < d_.nodes.size(); ++i) {
      const NodeDeclaration& node = d_.nodes[i];
      if (!node.make_value) continue;
      const NodeId id = d_.first_id + static_cast<int>(i);
      std::string problem;
      const std::string failure = guarded_call([&] {
        const value::Any one = node.make_value(id);
        const value::Any other = node.make_value(id);
        if (one.equal(other)) return;
        const auto changes = value::diff(one.tree(), other.tree());
        problem = "makes another node each time it is called" +
                  (changes.empty() ? std::string()
                                   : ": " + changes[0].path + " is " + changes[0].before +
                                         " the first time, " + changes[0].after + " the second");
      });
      if (!failure.empty()) problem = "fails: " + failure;
      if (problem.empty()) continue;
      return Error{"the factory of node " + std::to_string(id.value) + " (" +
                   std::string(node.type->name) + ") " + problem};
    }
    return {};
  }

  // A negative number becomes a very large one on its way here.
  Result<void> budgets() const {
    if (d_.free_faults) return {};
    const std::pair<const char*, uint32_t> all[] = {{"drops", d_.drops},
                                                    {"duplicates", d_.duplicates},
                                                    {"recoveries", d_.recoveries},
                                                    {"partitions", d_.partition_budget}};
    for (const auto& [name, budget] : all) {
      const auto given = static_cast<int32_t>(budget);
      if (given >= 0) continue;
      return Error{std::string(name) + "(" + std::to_string(given) +
                   "): how often that may happen in a run, 0 or more"};
    }
    return {};
  }

  Result<void> crashes() const {
    for (NodeId id : d_.may_crash) {
      if (exists(id)) continue;
      return Error{"node " + std::to_string(id.value) +
                   " may crash, but there is no such node: " + range()};
    }
    if (std::set<int>(d_.may_crash.begin(), d_.may_crash.end()).size() != d_.may_crash.size()) {
      return Error{"a node is listed twice among those that may crash"};
    }
    if (d_.crash_lists > 1 && !d_.free_faults) {
      return Error{"crash() was called " + std::to_string(d_.crash_lists) +
                   " times, and each list replaces the one before; name all nodes that may crash "
                   "in one"};
    }
    if (d_.recoveries > 0 && d_.may_crash.empty()) {
      return Error{"recoveries are allowed, but no node may crash: see System::crash"};
    }
    return {};
  }

  Result<void> requests() const {
    for (const auto& [id, request] : d_.requests) {
      if (request.empty()) {
        return Error{"a request to node " + std::to_string(id.value) + " carries no value"};
      }
      const std::string what =
          "request " + std::string(request.type_name()) + " to node " + std::to_string(id.value);
      if (!exists(id)) return Error{what + ": there is no such node: " + range()};
      const detail::NodeType& type = *d_.nodes[static_cast<size_t>(id.value - d_.first_id)].type;
      const bool handled =
          std::any_of(type.requests.begin(), type.requests.end(),
                      [&, &asked = request](const detail::NodeType::Handler& handler) {
                        return handler.type->same_as(*asked.type());
                      });
      if (!handled) {
        return Error{what + ": " + std::string(type.name) +
                     " does not list it in its Requests, or has no handler for it"};
      }
    }
    return {};
  }

  static std::string show(const detail::Split& split) {
    std::string out;
    for (const std::vector<NodeId>& block : split) {
      out += out.empty() ? "" : " | ";
      for (size_t i = 0; i < block.size(); ++i) {
        out += (i > 0 ? "," : "") + std::to_string(block[i].value);
      }
    }
    return out;
  }

  Result<void> partitions() const {
    if (d_.partition_budget == 0) return {};
    if (!d_.splits && count_ > detail::kMostToSplitFreely) {
      return Error{"partitions are allowed in any way, but " + std::to_string(count_) +
                   " nodes can be split in too many: list the splits"};
    }
    for (const detail::Split& split : d_.splits.value_or(std::vector<detail::Split>())) {
      const std::string where = "the split " + show(split) + ": ";
      std::set<int> seen;
      for (const std::vector<NodeId>& block : split) {
        for (NodeId id : block) {
          const std::string node = "node " + std::to_string(id.value);
          if (!exists(id)) return Error{where + "there is no " + node + ": " + range()};
          if (!seen.insert(id.value).second) return Error{where + node + " is named twice"};
        }
      }
      const std::vector<int> blocks = detail::blocks_of(split, count_, d_.first_id);
      if (std::set<int>(blocks.begin(), blocks.end()).size() < 2) {
        return Error{where + "all nodes are in one block, so nothing is cut off"};
      }
    }
    if (d_.partitions.empty()) {
      return Error{"partitions are allowed, but there is no way to split the nodes"};
    }
    return {};
  }

  Result<void> time() const {
    if (d_.prompt && d_.says_timed == false) {
      return Error{"prompt() is for timed systems, but timed(false) says that there is no time"};
    }
    if (d_.prompt && d_.network == Network::kSet) {
      return Error{
          "prompt() does not fit a set network: messages stay deliverable there, and time would "
          "never pass"};
    }
    return {};
  }

  Result<void> opaque_objects() const {
    if (!is_opaque(d_)) return {};
    if (d_.crash_at_persist) {
      return Error{
          "crash_at_persist needs value nodes: where an opaque node persists is only known "
          "once its handler has run"};
    }
    if (d_.never_chooses) {
      return Error{
          "never_chooses needs value nodes: what an opaque node does is only known once its "
          "handler has run"};
    }
    if (d_.skip_noops) {
      return Error{
          "skip_noops needs value nodes: whether a delivery to an opaque node changes "
          "anything is only known once its handler has run"};
    }
    return {};
  }

  // A property of nodes that are not there holds, and says nothing.
  Result<void> properties() const {
    for (const auto& named : d_.properties) {
      const auto* unary = std::get_if<Predicate::Unary>(&named.predicate.form());
      const auto* binary = std::get_if<Predicate::Binary>(&named.predicate.form());
      if (unary == nullptr && binary == nullptr) continue;
      const detail::TypeId& type = unary != nullptr ? unary->type : binary->type;
      std::set<std::string> types;
      bool found = false;
      for (size_t i = 0; i < count_; ++i) {
        found = found || d_.nodes[i].type->id == type;
        types.insert(d_.nodes[i].type->id.spelled());
      }
      if (found) continue;
      std::string known;
      for (const std::string& one : types) known += (known.empty() ? "" : ", ") + one;
      const std::string asked = type.symbol().empty() ? "null" : type.spelled();
      return Error{"\"" + named.property.name + "\" is about nodes of type " + asked +
                   ", but there are none; the nodes are " + known};
    }
    return {};
  }

  // A colour of nodes that are not there is of no use, and one of two is lost.
  Result<void> colours() const {
    std::set<std::pair<std::string, std::string>> seen;
    for (const auto& colour : d_.colours) {
      const std::string who =
          "the colour of " + colour.type.spelled() + " (colouring " + colour.colouring.name + ") ";
      if (!seen.insert({colour.colouring.name, colour.type.spelled()}).second) {
        return Error{who + "is declared twice"};
      }
      const bool found = std::any_of(
          d_.nodes.begin(), d_.nodes.begin() + static_cast<ptrdiff_t>(count_),
          [&](const detail::NodeDeclaration& node) { return node.type->id == colour.type; });
      if (!found) return Error{who + "is of no use: no node is of that type"};
    }
    return {};
  }

  // That each condition speaks of something that can be. Timers have names when they are set.
  Result<void> fairness() const {
    for (const Fair& fair : d_.fair) {
      const std::string who = "a fairness condition ";
      for (const std::optional<NodeId>& id : {fair.node, fair.sender}) {
        const int known = d_.first_id + static_cast<int>(d_.nodes.size());
        if (!id || (id->value >= d_.first_id && id->value < known)) continue;
        return Error{who + "is about node " + std::to_string(id->value) + "; " + range()};
      }
      const bool request = fair.kind == ActionKind::kRequest;
      if (fair.name.empty() || (fair.kind != ActionKind::kDeliver && !request)) continue;
      std::vector<std::string> names;
      for (const NodeDeclaration& node : d_.nodes) {
        for (const auto& handler : request ? node.type->requests : node.type->messages) {
          names.emplace_back(handler.type->name());
        }
      }
      std::sort(names.begin(), names.end());
      names.erase(std::unique(names.begin(), names.end()), names.end());
      if (std::find(names.begin(), names.end(), fair.name) != names.end()) continue;
      return Error{who + "is about " + (request ? "requests" : "messages") + " of type " +
                   quoted_for_message(fair.name) + ", which no node handles" +
                   did_you_mean(fair.name, names) + "; there are " + join(names, ", ")};
    }
    return {};
  }

  const Declaration& d_;
  const size_t count_;  // nodes; components are none
};

}  // namespace

bool is_opaque(const Declaration& declaration) {
  return std::any_of(declaration.nodes.begin(), declaration.nodes.end(),
                     [](const NodeDeclaration& node) { return !node.make_value; });
}

TypeNames names_of(const detail::Declaration& declaration) {
  std::vector<const value::Type*> types;
  for (const detail::NodeDeclaration& node : declaration.nodes) {
    for (const auto* list : {&node.type->messages, &node.type->requests}) {
      for (const auto& handler : *list) types.push_back(handler.type);
    }
  }
  return TypeNames(types);
}

Result<void> validate(const Declaration& settled) { return Validation(settled).run(); }

}  // namespace ordeal::actor
