// A list of values that grows in the heap: what sets and functions are collected in.
#pragma once

#include <algorithm>
#include <span>

#include "language/tla/value/heap.h"
#include "language/tla/value/value.h"

namespace ordeal::tla {

class Items {
 public:
  explicit Items(Heap& heap, size_t expected = 8) : heap_(heap) {
    grow(std::max<size_t>(expected, 4));
  }
  void push(Value value) {
    if (size_ == capacity_) grow(2 * capacity_);
    data_[size_++] = value;
  }
  void clear() { size_ = 0; }
  std::span<Value> all() { return {data_, size_}; }
  size_t size() const { return size_; }

 private:
  void grow(size_t capacity) {
    auto* const data = static_cast<Value*>(heap_.allocate(capacity * sizeof(Value)));
    std::copy(data_, data_ + size_, data);
    data_ = data;
    capacity_ = capacity;
  }

  Heap& heap_;
  Value* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace ordeal::tla
