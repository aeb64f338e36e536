// Renamer: renames the interned parts of states, for one thread. What a part, event, environment or
// history looks like from the point of view of a node, and what it becomes under a renaming, is
// computed once and remembered by its id.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ordeal/detail/points.h"
#include "system/actor/space.h"

namespace ordeal::actor {

using detail::Points;

enum class Table : uint8_t { kPart, kEvent, kEnvironment, kHistory };

class Renamer {
 public:
  using Permutation = Points::Permutation;

  Renamer(std::shared_ptr<ActorSpace> space, std::shared_ptr<const Points> points);

  struct Item {
    uint64_t mentions = 0;   // the points that occur in it, a bit each
    uint32_t views = 0;      // a colour for each of them, in views_
    uint32_t relations = 0;  // for each two of them, in views_; kNone: not yet known
    uint32_t images = 0;     // if it mentions one point: where that may go, in images_
  };

  // What the item mentions; valid until the next call.
  const Item& item(Table table, uint32_t id) {
    std::vector<Item>& items = items_[static_cast<size_t>(table)];
    if (id >= items.size() || items[id].mentions == kUnknown) look(table, id);
    return items[id];
  }
  // The colours that the item gives to the points it mentions, from the least point on. They do not
  // depend on the names of points that are alike.
  const uint64_t* views(const Item& item) const { return views_.data() + item.views; }
  // How two points that it mentions occur in it together.
  uint64_t relation(Table table, uint32_t id, uint8_t a, uint8_t b);

  // The id of the item as it is renamed.
  uint32_t image(Table table, uint32_t id, const Permutation& to) {
    const Item& known = item(table, id);
    if (known.mentions == 0) return id;
    if ((known.mentions & (known.mentions - 1)) == 0) {
      const int point = std::countr_zero(known.mentions);
      if (to[static_cast<size_t>(point)] == point) return id;
      const uint32_t image = images_[known.images + to[static_cast<size_t>(point)]];
      return image != kNone ? image : compute_one(table, id, to);
    }
    return image_of_many(table, id, known.mentions, to);
  }

  // The declared split that split number `split` becomes; the split itself if there is none.
  uint32_t split_image(uint32_t split, const Permutation& to) const;
  // Whether `image` is what `split` becomes.
  bool is_image(uint32_t split, uint32_t image, const Permutation& to) const;

  void forget();
  uint64_t bytes() const;  // of what is remembered

 private:
  static constexpr uint64_t kUnknown = ~uint64_t{0};
  static constexpr uint32_t kNone = ~0U;
  struct ManyKey {
    uint64_t where;  // where the mentioned points go
    uint64_t what;   // table and id
    bool operator==(const ManyKey&) const = default;
  };
  struct HashKey {
    size_t operator()(const ManyKey& key) const { return combine(key.where, key.what); }
  };

  void look(Table table, uint32_t id);
  uint64_t hash_as(Table table, uint32_t id, value::Naming& naming) const;
  uint32_t image_of_many(Table table, uint32_t id, uint64_t mentions, const Permutation& to);
  uint32_t compute_one(Table table, uint32_t id, const Permutation& to);
  uint32_t compute(Table table, uint32_t id, const Permutation& to);
  Part renamed_part(const Part& part, const Permutation& to, const value::Renaming& renaming);
  Environment renamed_environment(const Environment& environment, const Permutation& to) const;
  std::vector<int> renamed_split(uint32_t split, const Permutation& to) const;

  std::shared_ptr<ActorSpace> space_;
  std::shared_ptr<const Points> points_;
  std::array<std::vector<Item>, 4> items_;
  std::vector<uint64_t> views_;
  std::vector<uint32_t> images_;
  std::unordered_map<ManyKey, uint32_t, HashKey> many_;
};

}  // namespace ordeal::actor
