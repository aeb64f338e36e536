#include "language/tla/value/pool.h"

#include <algorithm>

#include "language/tla/value/inner.h"
#include "ordeal/detail/hash.h"

namespace ordeal::tla {
namespace {

constexpr unsigned kPointerBits = 48;
constexpr uint64_t kPointerMask = (uint64_t{1} << kPointerBits) - 1;
constexpr size_t kFirstTable = 256;
constexpr uint64_t kSecondSmallSeed = 0x1f83d9abfb41bd6bULL;
constexpr uint64_t kSecondModelSeed = 0x5be0cd19137e2179ULL;

uint64_t tag_of(uint64_t hash) { return (hash >> 40) << kPointerBits; }
size_t shard_of(uint64_t hash) { return hash >> 58; }

// Both in normal form, with pooled items: then equal items are the same words.
bool same_content(const Object& a, const Object& b) {
  if (a.kind != b.kind || a.size != b.size || a.negative != b.negative) return false;
  if (a.kind == ObjectKind::kFunction && a.keys != b.keys) return false;
  return std::memcmp(&a + 1, &b + 1, a.size * sizeof(Value)) == 0;
}

uint64_t second_hash(const Object& object) {
  detail::Hasher hasher(detail::kSecondSeed);
  hasher.word(static_cast<uint64_t>(object.kind) | (uint64_t{object.negative} << 8) |
              (uint64_t{object.size} << 16));
  if (object.kind == ObjectKind::kBig) {
    hasher.bytes(&object + 1, object.size * sizeof(uint64_t));
    return hasher.finish();
  }
  if (object.kind == ObjectKind::kFunction) hasher.word(object.keys->second);
  for (const Value item : object.items()) hasher.word(pooled_second_hash(item));
  return hasher.finish();
}

bool is_word_of_pool(Value value) { return !value.is_object() || value.object()->pooled; }

}  // namespace

uint64_t pooled_hash(Value value) {
  return value.is_object() ? known_hash(value.object()) : hash_word(value);
}

uint64_t pooled_second_hash(Value value) {
  if (value.is_object()) return value.object()->second;
  if (value.is_small()) return mix64(static_cast<uint64_t>(value.number()) ^ kSecondSmallSeed);
  if (value.is_string()) return atom_info(value.atom()).second;
  if (value.is_model()) return mix64(atom_info(value.atom()).second ^ kSecondModelSeed);
  return value.truth() ? 0xcbbb9d5dc1059ed8ULL : 0x629a292a367cd507ULL;
}

Pool::Pool() : shards_(std::make_unique<std::array<Shard, kShards>>()) { clear(); }

void Pool::clear() {
  for (Shard& shard : *shards_) {
    shard.tables.clear();
    shard.tables.push_back(std::make_unique<Table>(kFirstTable));
    shard.table.store(shard.tables.back().get(), std::memory_order_release);
    shard.count.store(0, std::memory_order_relaxed);
    shard.heap.clear();
  }
}

Value Pool::intern(Heap& scratch, Value value) {
  if (is_word_of_pool(value)) return value;
  const Object* object = normal(scratch, value).object();
  if (object->pooled) return Value::of(object);
  if (object->size == 0) {
    return object->kind == ObjectKind::kSet ? empty_set() : Value::of(empty_tuple_object());
  }
  if (object->kind != ObjectKind::kBig) {
    const bool ready =
        std::all_of(object->items().begin(), object->items().end(), is_word_of_pool) &&
        (object->kind != ObjectKind::kFunction || object->keys->pooled);
    if (!ready) {
      const Depth depth;
      Object* const made = make_object(scratch, object->kind, object->size);
      made->hash = known_hash(object);
      if (object->kind == ObjectKind::kFunction) {
        made->keys = intern(scratch, Value::of(object->keys)).object();
      }
      for (uint32_t i = 0; i < object->size; ++i)
        made->data()[i] = intern(scratch, object->item(i));
      object = made;
    }
  }
  hash_object(scratch, object);
  return Value::of(find_or_add(*object));
}

// Null where it is not there; then `at` is the slot where it could lie.
const Object* Pool::find(const Table& table, const Object& object, size_t& at) {
  const uint64_t hash = known_hash(&object);
  const uint64_t tag = tag_of(hash);
  for (at = hash & table.mask;; at = (at + 1) & table.mask) {
    const uint64_t slot = table.slots[at].load(std::memory_order_acquire);
    if (slot == 0) return nullptr;
    if ((slot & ~kPointerMask) != tag) continue;
    const auto* const other = reinterpret_cast<const Object*>(slot & kPointerMask);
    if (known_hash(other) == hash && same_content(*other, object)) return other;
  }
}

const Object* Pool::find_or_add(const Object& object) {
  Shard& shard = (*shards_)[shard_of(known_hash(&object))];
  size_t at = 0;
  const Table* const table = shard.table.load(std::memory_order_acquire);
  if (const Object* const found = find(*table, object, at); found != nullptr) return found;
  return add(shard, object);
}

const Object* Pool::add(Shard& shard, const Object& object) {
  const std::lock_guard lock(shard.mutex);
  size_t at = 0;
  // Another thread may have been faster.
  const Object* const found = find(*shard.tables.back(), object, at);
  if (found != nullptr) return found;
  const uint64_t count = shard.count.load(std::memory_order_relaxed) + 1;
  if (count * 3 > (shard.tables.back()->mask + 1) * 2) {
    grow(shard);
    find(*shard.tables.back(), object, at);
  }
  Object* const made = make_object(shard.heap, object.kind, object.size);
  made->negative = object.negative;
  made->pooled = true;
  made->hash = known_hash(&object);
  if (object.kind == ObjectKind::kFunction) made->keys = object.keys;
  std::memcpy(static_cast<void*>(made->data()), &object + 1, object.size * sizeof(Value));
  made->second = second_hash(*made);
  const auto address = reinterpret_cast<uint64_t>(made);
  if ((address & ~kPointerMask) != 0) fail("memory lies where pointers have more than 48 bits");
  shard.tables.back()->slots[at].store(address | tag_of(made->hash), std::memory_order_release);
  shard.count.store(count, std::memory_order_relaxed);
  return made;
}

void Pool::grow(Shard& shard) {
  const Table& old = *shard.tables.back();
  auto grown = std::make_unique<Table>((old.mask + 1) * 2);
  for (size_t i = 0; i <= old.mask; ++i) {
    const uint64_t slot = old.slots[i].load(std::memory_order_relaxed);
    if (slot == 0) continue;
    const uint64_t hash = known_hash(reinterpret_cast<const Object*>(slot & kPointerMask));
    size_t at = hash & grown->mask;
    while (grown->slots[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & grown->mask;
    grown->slots[at].store(slot, std::memory_order_relaxed);
  }
  shard.table.store(grown.get(), std::memory_order_release);
  shard.tables.push_back(std::move(grown));
}

uint64_t Pool::bytes() const {
  uint64_t out = 0;
  for (const Shard& shard : *shards_) {
    const std::lock_guard lock(shard.mutex);
    out += shard.heap.bytes();
    for (const auto& table : shard.tables) out += (table->mask + 1) * sizeof(uint64_t);
  }
  return out;
}

uint64_t Pool::size() const {
  uint64_t out = 0;
  for (const Shard& shard : *shards_) out += shard.count.load(std::memory_order_relaxed);
  return out;
}

}  // namespace ordeal::tla
