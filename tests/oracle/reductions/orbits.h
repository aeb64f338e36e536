// Orbits by brute force: every renaming of like nodes, applied to every state of the reference. The
// renaming is written out for the types of the generated systems; the engine's is not asked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/random/generator.h"
#include "tests/oracle/random/program.h"
#include "tests/oracle/reference/explore.h"
#include "tests/oracle/reference/reference.h"

namespace ordeal::oracle {

using Renaming = std::map<int, int>;  // ids that it lacks stay

inline int renamed(const Renaming& renaming, int id) {
  const auto at = renaming.find(id);
  return at == renaming.end() ? id : at->second;
}

// All ways to permute the nodes inside of their groups.
inline std::vector<Renaming> renamings(const std::vector<std::vector<NodeId>>& groups) {
  std::vector<Renaming> out = {{}};
  for (const std::vector<NodeId>& group : groups) {
    std::vector<int> from(group.begin(), group.end());
    std::sort(from.begin(), from.end());
    std::vector<Renaming> next;
    for (std::vector<int> to = from;;) {
      for (Renaming renaming : out) {
        for (size_t i = 0; i < from.size(); ++i) renaming[from[i]] = to[i];
        next.push_back(std::move(renaming));
      }
      if (!std::next_permutation(to.begin(), to.end())) break;
    }
    out = std::move(next);
  }
  return out;
}

inline Cell renamed(const Renaming& renaming, Cell cell) {
  cell.last = renamed(renaming, cell.last.value);
  for (NodeId& node : cell.seen) node = renamed(renaming, node.value);
  return cell;
}

inline value::Any renamed(const Renaming& renaming, const value::Any& any) {
  if (const auto* node = any.try_get<Full>()) {
    return value::Any::of(Full{renamed(renaming, node->cell)});
  }
  if (const auto* node = any.try_get<Plain>()) {
    return value::Any::of(Plain{renamed(renaming, node->cell)});
  }
  if (const auto* node = any.try_get<Deaf>()) {
    return value::Any::of(Deaf{renamed(renaming, node->cell)});
  }
  if (const auto* part = any.try_get<Part>()) {
    return value::Any::of(Part{renamed(renaming, part->cell)});
  }
  if (const auto* token = any.try_get<Token>()) {
    return value::Any::of(Token{renamed(renaming, token->who.value), token->n});
  }
  return any;  // no other type names nodes
}

// Histories have no setters: their bytes are put together anew.
inline std::string renamed_history(const Renaming& renaming, const History& history) {
  std::map<int, std::string> clients;
  for (const History::Client& client : history.clients()) {
    std::string& out = clients[renamed(renaming, client.id.value)];
    const auto put_operation = [&](const History::Operation& operation) {
      reference::put(out, operation.call);
      reference::put(out, operation.result);
      std::map<int, uint32_t> seen;
      for (const History::Seen& other : operation.seen) {
        seen[renamed(renaming, other.client.value)] = other.completed;
      }
      for (const auto& [id, completed] : seen) {
        reference::put(out, id);
        reference::put(out, completed);
      }
      out += ";";
    };
    for (const History::Operation& operation : client.completed) put_operation(operation);
    if (client.pending) put_operation(*client.pending);
    out += client.pending ? "pending;" : ";";
  }
  std::string out;
  for (const auto& [id, text] : clients) {
    reference::put(out, id);
    reference::put(out, text);
  }
  return out;
}

// The bytes of a state after a renaming of its nodes.
inline std::string renamed_key(const Renaming& renaming, const reference::State& s, Network network,
                               int first_id) {
  reference::State out;
  const auto place = [&](size_t i) {
    return static_cast<size_t>(renamed(renaming, first_id + static_cast<int>(i)) - first_id);
  };
  out.nodes.resize(s.nodes.size());
  for (size_t i = 0; i < s.nodes.size(); ++i) {
    reference::Node& node = out.nodes[place(i)] = s.nodes[i];
    node.state = renamed(renaming, node.state);
    node.disk = renamed(renaming, node.disk);
  }
  for (reference::Event event : s.pending) {
    event.to = renamed(renaming, event.to);
    event.from = renamed(renaming, event.from);
    event.content = renamed(renaming, event.content);
    out.pending.push_back(std::move(event));
  }
  out.crashes = s.crashes;
  out.recoveries = s.recoveries;
  out.drops = s.drops;
  out.duplicates = s.duplicates;
  out.partitions = s.partitions;
  const auto both = [&](const reference::Pair& pair) {
    return reference::Pair(renamed(renaming, pair.first), renamed(renaming, pair.second));
  };
  for (const auto& [pair, left] : s.suspicions) out.suspicions[both(pair)] = left;
  for (const reference::Pair& pair : s.notified) out.notified.insert(both(pair));
  if (!s.partition.empty()) {
    std::vector<int> blocks(s.partition.size());
    for (size_t i = 0; i < blocks.size(); ++i) blocks[place(i)] = s.partition[i];
    // Which block is called which does not matter: they are numbered as they come.
    std::map<int, int> number;
    for (int& block : blocks) {
      block = number.emplace(block, static_cast<int>(number.size())).first->second;
    }
    out.partition = blocks;
  }
  std::string key = reference::key_of(out, network);
  reference::put(key, renamed_history(renaming, s.history));
  return key;
}

struct Orbits {
  uint64_t classes = 0;
  uint64_t terminal = 0;  // classes of terminal states
  uint64_t largest = 0;   // reached members of one class
};

inline Orbits count_orbits(const Case& item, const reference::Exploration& found) {
  const std::vector<Renaming> all = renamings(item.alike);
  const detail::Declaration& declaration = item.system.declaration();
  const reference::Reference reference(item.system);
  std::map<std::string, uint64_t> members;
  std::set<std::string> terminal;
  for (const auto& [key, state] : found.states) {
    std::string least;
    for (const Renaming& renaming : all) {
      std::string other = renamed_key(renaming, state, declaration.network, declaration.first_id);
      if (least.empty() || other < least) least = std::move(other);
    }
    ++members[least];
    const std::vector<reference::Move> moves = reference.moves(state);
    const bool ends = std::none_of(moves.begin(), moves.end(),
                                   [](const reference::Move& move) { return move.progress; });
    if (ends) terminal.insert(least);
  }
  Orbits out;
  out.classes = members.size();
  out.terminal = terminal.size();
  for (const auto& [key, count] : members) out.largest = std::max(out.largest, count);
  return out;
}

}  // namespace ordeal::oracle
