#include "ordeal/history.h"

#include <algorithm>
#include <utility>

namespace ordeal {
namespace {

std::string name_of(NodeId client) { return "client " + std::to_string(client.value); }

std::strong_ordering order_of(const History::Operation& a, const History::Operation& b) {
  if (auto by = a.call.compare(b.call); by != 0) return by;
  if (auto by = a.result.compare(b.result); by != 0) return by;
  if (auto by = a.seen.size() <=> b.seen.size(); by != 0) return by;
  for (size_t i = 0; i < a.seen.size(); ++i) {
    if (auto by = a.seen[i].client.value <=> b.seen[i].client.value; by != 0) return by;
    if (auto by = a.seen[i].completed <=> b.seen[i].completed; by != 0) return by;
  }
  return std::strong_ordering::equal;
}

// `hash_of` is what the caller hashes an operation's call and result with.
template <class HashOf>
void hash_operation(const History::Operation& op, detail::Hasher& hasher, const HashOf& hash_of) {
  hasher.word(hash_of(op.call));
  hasher.word(hash_of(op.result));
  hasher.word(op.seen.size());
  for (const History::Seen& seen : op.seen) {
    hasher.word((static_cast<uint64_t>(static_cast<uint32_t>(seen.client.value)) << 32) |
                seen.completed);
  }
}

template <class HashOf>
uint64_t hash_clients(const std::vector<History::Client>& clients, detail::Hasher hasher,
                      const HashOf& hash_of) {
  hasher.word(clients.size());
  for (const History::Client& client : clients) {
    hasher.word(static_cast<uint64_t>(client.id.value));
    hasher.word(client.completed.size() * 2 + (client.pending ? 1 : 0));
    for (const History::Operation& op : client.completed) hash_operation(op, hasher, hash_of);
    if (client.pending) hash_operation(*client.pending, hasher, hash_of);
  }
  return hasher.finish();
}

value::Tree tree_of(const History::Operation& op) {
  value::Tree out = value::Tree::record("Operation");
  out.add("call", op.call.tree());
  out.add("result", op.result.tree());
  value::Tree seen = value::Tree::of(value::Tree::Kind::kMap);
  for (const History::Seen& entry : op.seen) {
    seen.items.push_back(value::Tree::node(entry.client));
    seen.items.push_back(value::Tree::number(entry.completed));
  }
  out.add("seen", std::move(seen));
  return out;
}

void rename(History::Operation& op, const value::Renaming& renaming) {
  op.call = op.call.renamed(renaming);
  if (!op.result.empty()) op.result = op.result.renamed(renaming);
  for (History::Seen& seen : op.seen) seen.client = renaming(seen.client);
  std::sort(op.seen.begin(), op.seen.end(), [](const History::Seen& a, const History::Seen& b) {
    return a.client.value < b.client.value;
  });
}

const History::Client* find_client(const History& history, NodeId id) {
  for (const History::Client& client : history.clients()) {
    if (client.id.value == id.value) return &client;
  }
  return nullptr;
}

std::string show_operation(const detail::HistoryLine& line, uint32_t op) {
  const History::Operation& operation = *line.operations[op];
  std::string out = name_of(line.refs[op].client) + ": " + value::show(operation.call.tree());
  out += operation.result.empty() ? " (pending)" : " = " + value::show(operation.result.tree());
  return out;
}

}  // namespace

Result<void> History::invoke(NodeId client, value::Any call) {
  auto at = std::lower_bound(clients_.begin(), clients_.end(), client.value,
                             [](const Client& c, int id) { return c.id.value < id; });
  if (at == clients_.end() || at->id.value != client.value) {
    at = clients_.insert(at, Client{client, {}, std::nullopt});
  }
  if (at->pending) {
    return Error{name_of(client) + " calls " + value::show(call.tree()) + " while its " +
                 value::show(at->pending->call.tree()) +
                 " has not returned; a client has one operation at a time"};
  }
  Operation op;
  op.call = std::move(call);
  for (const Client& other : clients_) {
    if (other.id.value != client.value && !other.completed.empty()) {
      op.seen.push_back({other.id, static_cast<uint32_t>(other.completed.size())});
    }
  }
  at->pending = std::move(op);
  return {};
}

Result<void> History::ret(NodeId client, value::Any result) {
  const auto at = std::find_if(clients_.begin(), clients_.end(), [&](const Client& c) {
    return c.id.value == client.value && c.pending;
  });
  if (at == clients_.end()) {
    return Error{name_of(client) + " returns " + value::show(result.tree()) +
                 " but has no operation under way; it must call one first"};
  }
  at->pending->result = std::move(result);
  at->completed.push_back(std::move(*at->pending));
  at->pending.reset();
  return {};
}

size_t History::size() const {
  size_t count = 0;
  for (const Client& client : clients_) count += client.completed.size() + (client.pending ? 1 : 0);
  return count;
}

uint64_t History::hash() const {
  return hash_clients(clients_, detail::Hasher(), [](const value::Any& any) { return any.hash(); });
}

uint64_t History::digest() const {
  return hash_clients(clients_, detail::Hasher(),
                      [](const value::Any& any) { return any.digest(); });
}

uint64_t History::second_hash() const {
  return hash_clients(clients_, detail::Hasher(0x589965cc75374cc3ULL),
                      [](const value::Any& any) { return any.second_hash(); });
}

std::strong_ordering History::compare(const History& other) const {
  if (auto by = clients_.size() <=> other.clients_.size(); by != 0) return by;
  for (size_t i = 0; i < clients_.size(); ++i) {
    const Client &a = clients_[i], &b = other.clients_[i];
    if (auto by = a.id.value <=> b.id.value; by != 0) return by;
    if (auto by = a.completed.size() <=> b.completed.size(); by != 0) return by;
    if (auto by = a.pending.has_value() <=> b.pending.has_value(); by != 0) return by;
    for (size_t k = 0; k < a.completed.size(); ++k) {
      if (auto by = order_of(a.completed[k], b.completed[k]); by != 0) return by;
    }
    if (a.pending) {
      if (auto by = order_of(*a.pending, *b.pending); by != 0) return by;
    }
  }
  return std::strong_ordering::equal;
}

value::Tree History::tree() const {
  value::Tree out = value::Tree::of(value::Tree::Kind::kMap);
  for (const Client& client : clients_) {
    value::Tree log = value::Tree::of(value::Tree::Kind::kList);
    for (const Operation& op : client.completed) log.items.push_back(tree_of(op));
    value::Tree one = value::Tree::record("Client");
    one.add("completed", std::move(log));
    one.add("pending", client.pending ? tree_of(*client.pending) : value::Tree());
    out.items.push_back(value::Tree::node(client.id));
    out.items.push_back(std::move(one));
  }
  return out;
}

History History::renamed(const value::Renaming& renaming) const {
  History out = *this;
  for (Client& client : out.clients_) {
    client.id = renaming(client.id);
    for (Operation& op : client.completed) rename(op, renaming);
    if (client.pending) rename(*client.pending, renaming);
  }
  std::sort(out.clients_.begin(), out.clients_.end(),
            [](const Client& a, const Client& b) { return a.id.value < b.id.value; });
  return out;
}

namespace {

void write_operation(const History::Operation& op, std::string& bytes) {
  value::write_any(op.call, bytes);
  value::write_any(op.result, bytes);
  value::write(op.seen, bytes);
}

bool read_operation(std::string_view& bytes, History::Operation& op) {
  return value::read_any(bytes, op.call) && value::read_any(bytes, op.result) &&
         value::read(bytes, op.seen);
}

}  // namespace

void History::write(std::string& bytes) const {
  detail::write_length(clients_.size(), bytes);
  for (const Client& client : clients_) {
    value::write(client.id, bytes);
    detail::write_length(client.completed.size(), bytes);
    for (const Operation& op : client.completed) write_operation(op, bytes);
    value::write(client.pending.has_value(), bytes);
    if (client.pending) write_operation(*client.pending, bytes);
  }
}

bool History::read(std::string_view& bytes) {
  clients_.clear();
  uint64_t clients = 0;
  if (!detail::read_length(bytes, clients) || clients > bytes.size()) return false;
  for (uint64_t i = 0; i < clients; ++i) {
    Client& client = clients_.emplace_back();
    uint64_t completed = 0;
    bool pending = false;
    if (!value::read(bytes, client.id) || !detail::read_length(bytes, completed) ||
        completed > bytes.size()) {
      return false;
    }
    for (uint64_t j = 0; j < completed; ++j) {
      if (!read_operation(bytes, client.completed.emplace_back())) return false;
    }
    if (!value::read(bytes, pending)) return false;
    if (pending && !read_operation(bytes, client.pending.emplace())) return false;
  }
  return true;
}

const History::Operation& operation(const History& history, OpRef ref) {
  const History::Client& client = *find_client(history, ref.client);
  return ref.index < client.completed.size() ? client.completed[ref.index] : *client.pending;
}

bool precedes(const History& history, OpRef a, OpRef b) {
  if (a.client.value == b.client.value) return a.index < b.index;
  for (const History::Seen& seen : operation(history, b).seen) {
    if (seen.client.value == a.client.value) return seen.completed > a.index;
  }
  return false;
}

namespace detail {

void HistoryLine::lay(const History& history) {
  refs.clear();
  operations.clear();
  intervals.clear();
  levels_.clear();
  // The sets of operations that precede a call include one another, so their sizes put the calls in
  // order: a level of the line for each size, first the returns that it brings, then its calls.
  const auto add = [&](const History::Client& client, const History::Operation& op, uint32_t index,
                       uint32_t ret) {
    uint32_t level = index;
    for (const History::Seen& seen : op.seen) level += seen.completed;
    refs.push_back({client.id, index});
    operations.push_back(&op);
    levels_.push_back(level);
    intervals.push_back({2 * level + 1, ret, 0});
  };
  const uint32_t end = 2 * (static_cast<uint32_t>(history.size()) + 1);
  for (const History::Client& client : history.clients()) {
    uint32_t index = 0;
    for (const History::Operation& op : client.completed) add(client, op, index++, end);
    if (client.pending) add(client, *client.pending, index, kNeverReturns);
  }
  const uint32_t count = static_cast<uint32_t>(refs.size());
  // A return comes with the first level whose calls have seen it. Operations of one client lie side
  // by side, in order, so the operations seen of it are a prefix of that run.
  uint32_t begin = 0;
  for (const History::Client& client : history.clients()) {
    const uint32_t completed = static_cast<uint32_t>(client.completed.size());
    for (uint32_t b = 0; b < count; ++b) {
      uint32_t known = 0;
      if (refs[b].client.value == client.id.value) {
        known = refs[b].index;
      } else {
        for (const History::Seen& seen : operations[b]->seen) {
          if (seen.client.value == client.id.value) known = seen.completed;
        }
      }
      for (uint32_t k = known; k-- > 0 && intervals[begin + k].ret > 2 * levels_[b];) {
        intervals[begin + k].ret = 2 * levels_[b];
      }
    }
    begin += completed + (client.pending ? 1 : 0);
  }
}

std::string explain_misfit(const HistoryLine& line, const LinearReason& reason) {
  constexpr size_t kMost = 12;  // a reason is read by a person
  const uint32_t misfit = reason.unplaced.front();
  const Interval& at = line.intervals[misfit];
  std::string out = "not linearizable: no place for " + show_operation(line, misfit);
  size_t told = 0;
  for (const uint32_t op : reason.core) {
    if (op == misfit || told++ >= kMost) continue;
    const Interval& other = line.intervals[op];
    out += (told == 1 ? " beside " : ", ") + show_operation(line, op);
    out += other.ret < at.call   ? " (returned before its call)"
           : other.call > at.ret ? " (called after its return)"
                                 : " (under way at the same time)";
  }
  if (told > kMost) out += " and " + std::to_string(told - kMost) + " more";
  const size_t others = line.refs.size() - reason.core.size();
  if (others > 0) {
    out += others == 1 ? ", whatever the other operation did"
                       : ", whatever the other " + std::to_string(others) + " operations did";
  }
  if (!reason.is_minimal) out += "; fewer of these may be enough: looking for them was given up";
  return out;
}

std::string explain_unknown(const HistoryLine& line, uint32_t op, bool is_call) {
  const History::Operation& operation = *line.operations[op];
  const value::Any& unknown = is_call ? operation.call : operation.result;
  return name_of(line.refs[op].client) + (is_call ? " calls " : " returns ") +
         value::show(unknown.tree()) + ", of type " +
         (unknown.empty() ? "none" : unknown.type()->full_name()) + ", which is not among the " +
         (is_call ? "calls" : "results") + " of the specification";
}

}  // namespace detail
}  // namespace ordeal
