#include "system/symmetry/renamer.h"

#include <algorithm>
#include <new>
#include <string>

#include "base/hash.h"
#include "base/mutant.h"

namespace ordeal::actor {
namespace {

using detail::Eye;

uint64_t hash_operation(const History::Operation& op, value::Naming& naming) {
  uint64_t hash = combine(op.call.hash_as(naming), op.result.hash_as(naming));
  uint64_t seen = 0;  // in any order: it is sorted by the names of clients
  for (const History::Seen& one : op.seen) seen += combine(naming.node(one.client), one.completed);
  return combine(hash, seen);
}

uint64_t hash_history(const History& history, value::Naming& naming) {
  uint64_t sum = 0;
  for (const History::Client& client : history.clients()) {
    uint64_t hash = combine(naming.node(client.id), client.completed.size());
    for (const History::Operation& op : client.completed) {
      hash = combine(hash, hash_operation(op, naming));
    }
    if (client.pending) hash = combine(hash, hash_operation(*client.pending, naming));
    sum += hash;
  }
  return sum;
}

// Blocks numbered in the order of their first nodes: the same for the same split.
std::vector<int> normal_form(const std::vector<int>& blocks, uint32_t nodes) {
  std::vector<int> out(blocks.begin(), blocks.begin() + nodes);
  std::vector<int> known;
  for (int& block : out) {
    const auto at = std::find(known.begin(), known.end(), block);
    block = static_cast<int>(at - known.begin());
    if (at == known.end()) known.push_back(blocks[static_cast<size_t>(&block - out.data())]);
  }
  return out;
}

}  // namespace

Renamer::Renamer(std::shared_ptr<ActorSpace> space, std::shared_ptr<const Points> points)
    : space_(std::move(space)), points_(std::move(points)) {}

void Renamer::forget() {
  for (std::vector<Item>& items : items_) items.clear();
  views_.clear();
  images_.clear();
  many_.clear();
}

uint64_t Renamer::bytes() const {
  using Node = std::pair<const ManyKey, uint32_t>;
  uint64_t sum = views_.capacity() * sizeof(uint64_t) + images_.capacity() * sizeof(uint32_t) +
                 many_.size() * detail::allocated(sizeof(Node) + 2 * sizeof(void*)) +
                 many_.bucket_count() * sizeof(void*);
  for (const std::vector<Item>& items : items_) sum += items.capacity() * sizeof(Item);
  return sum;
}

uint64_t Renamer::hash_as(Table table, uint32_t id, value::Naming& naming) const {
  const auto at = [&](int position) {
    return position < 0 ? 0 : naming.node(space_->id_of(position));
  };
  switch (table) {
    case Table::kPart: {
      const Part& part = space_->part(id);
      uint64_t hash = combine(at(static_cast<int>(part.node)), part.up ? 1 : 0);
      hash = combine(hash, part.state.hash_as(naming));
      hash = combine(hash, part.disk.hash_as(naming));
      hash = combine(hash, value::hash(part.timers));
      for (const value::Any& decision : part.decisions) {
        hash = combine(hash, decision.hash_as(naming));
      }
      return hash;
    }
    case Table::kEvent: {
      const Event& event = space_->event(id);
      uint64_t hash = combine(at(event.from), at(event.to));
      hash = combine(hash, static_cast<uint64_t>(event.kind));
      return combine(hash, event.payload.hash_as(naming));
    }
    case Table::kEnvironment: {
      const Environment& environment = space_->environment(id);
      uint64_t sum = 0;
      for (const auto& [who, whom] : environment.notified) sum += combine(at(who), at(whom));
      for (const auto& [pair, spent] : environment.suspicions) {
        sum += combine(combine(at(pair.first), at(pair.second)), spent);
      }
      uint64_t split = 0;
      if (environment.partition != 0) {
        const std::vector<int>& blocks =
            space_->declaration().partitions[environment.partition - 1];
        for (uint32_t first = 0; first < space_->node_count(); ++first) {
          uint64_t block = 0;
          for (uint32_t node = 0; node < space_->node_count(); ++node) {
            if (blocks[node] == blocks[first]) block += mix64(at(static_cast<int>(node)));
          }
          split += mix64(block);
        }
      }
      return combine(sum, split);  // what no renaming changes is left out
    }
    case Table::kHistory:
      return hash_history(space_->history(id), naming);
  }
  return 0;
}

void Renamer::look(Table table, uint32_t id) {
  std::vector<Item>& items = items_[static_cast<size_t>(table)];
  if (id >= items.size()) items.resize(id + id / 2 + 64, Item{kUnknown, 0, 0, 0});
  Eye any(*points_);
  hash_as(table, id, any);
  Item item{any.mentions(), static_cast<uint32_t>(views_.size()), kNone, 0};
  for (uint64_t rest = item.mentions; rest != 0; rest &= rest - 1) {
    const int point = std::countr_zero(rest);
    Eye eye(*points_, point);
    uint64_t view = combine(hash_as(table, id, eye), static_cast<uint64_t>(table));
    if (mutant(Mutant::kColoursByName)) view += static_cast<uint64_t>(point);
    views_.push_back(view);
  }
  if (std::has_single_bit(item.mentions)) {
    item.images = static_cast<uint32_t>(images_.size());
    images_.resize(images_.size() + points_->size(), kNone);
  }
  items[id] = item;
}

uint64_t Renamer::relation(Table table, uint32_t id, uint8_t a, uint8_t b) {
  Item known = item(table, id);
  const auto rank = [&](uint8_t point) {
    return std::popcount(known.mentions & ((uint64_t{1} << point) - 1));
  };
  const uint32_t count = static_cast<uint32_t>(std::popcount(known.mentions));
  if (known.relations == kNone) {
    known.relations = static_cast<uint32_t>(views_.size());
    for (uint64_t x = known.mentions; x != 0; x &= x - 1) {
      for (uint64_t y = known.mentions; y != 0; y &= y - 1) {
        Eye eye(*points_, std::countr_zero(x), std::countr_zero(y));
        views_.push_back(hash_as(table, id, eye));
      }
    }
    items_[static_cast<size_t>(table)][id].relations = known.relations;
  }
  return views_[known.relations + static_cast<uint32_t>(rank(a)) * count +
                static_cast<uint32_t>(rank(b))];
}

uint32_t Renamer::image_of_many(Table table, uint32_t id, uint64_t mentions,
                                const Permutation& to) {
  bool moves = false;
  uint64_t where = 0;
  for (uint64_t rest = mentions; rest != 0; rest &= rest - 1) {
    const size_t point = static_cast<size_t>(std::countr_zero(rest));
    moves = moves || to[point] != point;
    // Up to sixteen points: their numbers. More: a hash of them.
    where = points_->size() <= 16 ? where << 4 | to[point] : combine(where, to[point]);
  }
  if (!moves) return id;
  const ManyKey key{where, static_cast<uint64_t>(table) << 32 | id};
  if (const auto known = many_.find(key); known != many_.end()) return known->second;
  const uint32_t image = compute(table, id, to);
  many_.emplace(key, image);
  return image;
}

uint32_t Renamer::compute_one(Table table, uint32_t id, const Permutation& to) {
  const Item known = item(table, id);
  const uint32_t image = compute(table, id, to);
  images_[known.images + to[static_cast<size_t>(std::countr_zero(known.mentions))]] = image;
  return image;
}

uint32_t Renamer::compute(Table table, uint32_t id, const Permutation& to) {
  const value::Renaming renaming = points_->renaming(to);
  switch (table) {
    case Table::kPart:
      return space_->intern_part(renamed_part(space_->part(id), to, renaming));
    case Table::kEvent: {
      const Event& event = space_->event(id);
      const value::Any payload =
          mutant(Mutant::kPayloadsNotRenamed) ? event.payload : event.payload.renamed(renaming);
      return space_->intern_event(event.kind, points_->renamed(event.from, to),
                                  points_->renamed(event.to, to), payload);
    }
    case Table::kEnvironment:
      return space_->intern_environment(renamed_environment(space_->environment(id), to));
    case Table::kHistory:
      if (mutant(Mutant::kHistoriesNotRenamed)) return id;
      return space_->intern_history(space_->history(id).renamed(renaming));
  }
  return id;
}

Part Renamer::renamed_part(const Part& part, const Permutation& to,
                           const value::Renaming& renaming) {
  Part out = part;
  out.node = static_cast<uint32_t>(points_->renamed(static_cast<int>(part.node), to));
  out.state = part.state.renamed(renaming);
  if (out.node != part.node) {
    // What is no part of a node's content (constants of the protocol, say) comes from the factory
    // of the node that it becomes, and not along with the content.
    const value::Any fresh = space_->fresh_part(out.node).state;
    const value::Type& type = *fresh.type();
    std::string bytes;
    type.write(out.state.data(), bytes);
    std::string_view in = bytes;
    void* object = ::operator new(type.size(), std::align_val_t(type.align()));
    type.copy_construct(object, fresh.data());
    type.read(in, object);
    out.state = type.copy_any(object);
    type.destroy(object);
    ::operator delete(object, std::align_val_t(type.align()));
  }
  if (!mutant(Mutant::kDisksNotRenamed)) out.disk = part.disk.renamed(renaming);
  for (value::Any& decision : out.decisions) decision = decision.renamed(renaming);
  return out;
}

Environment Renamer::renamed_environment(const Environment& environment,
                                         const Permutation& to) const {
  Environment out = environment;
  const auto pair = [&](const std::pair<int, int>& nodes) {
    return std::pair(points_->renamed(nodes.first, to), points_->renamed(nodes.second, to));
  };
  if (!mutant(Mutant::kDetectorsNotRenamed)) {
    out.notified.clear();
    for (const auto& nodes : environment.notified) out.notified.insert(pair(nodes));
    out.suspicions.clear();
    for (const auto& [nodes, spent] : environment.suspicions) out.suspicions[pair(nodes)] = spent;
  }
  if (environment.partition != 0) {
    out.partition = split_image(environment.partition - 1, to) + 1;
  }
  return out;
}

std::vector<int> Renamer::renamed_split(uint32_t split, const Permutation& to) const {
  const std::vector<int>& blocks = space_->declaration().partitions[split];
  const uint32_t nodes = space_->node_count();
  std::vector<int> moved(nodes);
  for (uint32_t node = 0; node < nodes; ++node) {
    moved[static_cast<size_t>(points_->renamed(static_cast<int>(node), to))] = blocks[node];
  }
  return normal_form(moved, nodes);
}

bool Renamer::is_image(uint32_t split, uint32_t image, const Permutation& to) const {
  return renamed_split(split, to) ==
         normal_form(space_->declaration().partitions[image], space_->node_count());
}

uint32_t Renamer::split_image(uint32_t split, const Permutation& to) const {
  const auto& splits = space_->declaration().partitions;
  const uint32_t nodes = space_->node_count();
  const std::vector<int> from = normal_form(splits[split], nodes);
  const std::vector<int> wanted = renamed_split(split, to);
  // A split that is declared in several ways goes to the same of the other's ways.
  uint32_t same = 0;
  for (uint32_t i = 0; i < split; ++i) same += normal_form(splits[i], nodes) == from ? 1 : 0;
  for (uint32_t i = 0; i < splits.size(); ++i) {
    if (normal_form(splits[i], nodes) == wanted && same-- == 0) return i;
  }
  return split;
}

}  // namespace ordeal::actor
