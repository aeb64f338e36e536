// What the files of values share among themselves.
#pragma once

#include <atomic>
#include <cstring>
#include <string>

#include "language/tla/value/value.h"

namespace ordeal::tla {

struct AtomInfo {
  std::string text;
  uint64_t prefix = 0;  // the first eight characters, in an order that compares like them
  uint64_t hash = 0;
  uint64_t second = 0;
  char type = '\0';  // of a typed model value
};
const AtomInfo& atom_info(uint32_t atom);
int compare_atoms(uint32_t a, uint32_t b);

// Objects that every heap and every pool shares.
const Object* empty_set_object();
const Object* empty_tuple_object();

// Bounds how deep a function calls itself, per thread: a value that is nested deeper is an error.
class Depth {
 public:
  Depth() {
    if (++depth_ > kMaxDepth) too_deep();
  }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  [[noreturn]] static void too_deep();
  static thread_local uint32_t depth_;
};

// Values whose number is not known before, in a heap.
class Buffer {
 public:
  explicit Buffer(Heap& heap, size_t capacity = 16)
      : heap_(heap),
        data_(static_cast<Value*>(heap.allocate(capacity * sizeof(Value)))),
        capacity_(capacity) {}
  void push(Value value) {
    if (size_ == capacity_) grow();
    data_[size_++] = value;
  }
  void push(std::span<const Value> values) {
    while (size_ + values.size() > capacity_) grow();
    if (!values.empty()) std::memcpy(data_ + size_, values.data(), values.size_bytes());
    size_ += values.size();
  }
  size_t size() const { return size_; }
  std::span<Value> values() { return {data_, size_}; }

 private:
  void grow() {
    auto* const grown = static_cast<Value*>(heap_.allocate(capacity_ * 2 * sizeof(Value)));
    std::memcpy(grown, data_, size_ * sizeof(Value));
    data_ = grown;
    capacity_ *= 2;
  }

  Heap& heap_;
  Value* data_;
  size_t size_ = 0;
  size_t capacity_;
};

// Fails where a set of so many elements may not be written out; `what` would have them.
void check_limit(uint64_t size, std::string_view what);
void check_limit(const BigInt& size, std::string_view what);

// A set in normal form: where the value is, or would have to be.
struct SetPlace {
  uint32_t at = 0;
  bool found = false;
};
SetPlace find_place(Heap& heap, const Object* set, Value value);
// Where the argument stands in the domain of a kTuple or kFunction; size where it does not.
uint32_t find_index(Heap& heap, const Object* function, Value argument);

// Whether a set in normal form is 1..n.
bool is_counting(const Object* set);

// "{1, 2}" up to a length.
std::string short_text(Value value, size_t longest = 200);
// "a set"; "an integer"
const char* type_name(Value value);

// Of the first hash of words.
inline constexpr uint64_t kSmallSeed = 0x510e527fade682d1ULL;
inline constexpr uint64_t kModelSeed = 0x9b05688c2b3e6c1fULL;

inline uint64_t known_hash(const Object* object) {
  return std::atomic_ref<uint64_t>(object->hash).load(std::memory_order_relaxed);
}
uint64_t hash_word(Value value);                         // of what is no object
uint64_t hash_object(Heap& heap, const Object* object);  // in normal form

}  // namespace ordeal::tla
