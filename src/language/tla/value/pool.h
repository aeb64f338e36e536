// Values that states are made of: equal ones are one object, so that a state is a word per variable
// and comparing two pooled values is comparing two words.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "language/tla/value/value.h"

namespace ordeal::tla {

// May be used from several threads at once.
class Pool {
 public:
  Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // The one object of the pool that is equal to the value; words that are no objects stay. Fails
  // where the value cannot be written out.
  Value intern(Heap& scratch, Value value);

  uint64_t bytes() const;
  uint64_t size() const;
  // Forgets everything. REQUIRES: nobody holds a value of it, nor uses it.
  void clear();

 private:
  static constexpr size_t kShards = 64;
  // Open addressing, a power of two. A slot is a pointer with 16 bits of its object's hash in the
  // upper bits, which pointers to memory of programs do not use: other objects are seldom looked
  // at. Slots are only ever filled, so they are read without a lock.
  struct Table {
    explicit Table(size_t size) : mask(size - 1), slots(new std::atomic<uint64_t>[size]()) {}
    size_t mask;
    std::unique_ptr<std::atomic<uint64_t>[]> slots;
  };
  struct alignas(64) Shard {
    std::atomic<Table*> table{nullptr};
    std::atomic<uint64_t> count{0};
    mutable std::mutex mutex;
    // The last is in use; readers may still be in those that were outgrown.
    std::vector<std::unique_ptr<Table>> tables;
    Heap heap;
  };

  // REQUIRES: in normal form, items pooled, hash known.
  const Object* find_or_add(const Object& object);
  static const Object* find(const Table& table, const Object& object, size_t& at);
  const Object* add(Shard& shard, const Object& object);
  static void grow(Shard& shard);

  std::unique_ptr<std::array<Shard, kShards>> shards_;
};

// Hashes of pooled values and of what is no object, from content alone. The second is independent
// of the first.
uint64_t pooled_hash(Value value);
uint64_t pooled_second_hash(Value value);

}  // namespace ordeal::tla
