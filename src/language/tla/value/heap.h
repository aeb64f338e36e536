// Memory that is given out piece by piece and taken back as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ordeal::tla {

class Heap {
 public:
  Heap() = default;
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // Aligned to 8 bytes; never null. Fails (EvalError) beyond 4 GiB.
  void* allocate(size_t bytes) {
    bytes = (bytes + 7) & ~size_t{7};
    if (bytes > static_cast<size_t>(end_ - at_)) return allocate_chunk(bytes);
    std::byte* const out = at_;
    at_ += bytes;
    return out;
  }
  // Everything that was allocated is gone. Keeps the memory of an ordinary step.
  void clear();
  uint64_t bytes() const { return bytes_; }  // held
  // Whether what lies there was allocated here since the last clear(): it lives no longer.
  bool owns(const void* what) const;

 private:
  static constexpr size_t kFirst = 64 << 10;
  static constexpr size_t kKept = 4 << 20;
  static constexpr size_t kMost = size_t{4} << 30;

  void* allocate_chunk(size_t bytes);

  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    size_t size = 0;
  };
  std::vector<Chunk> chunks_;
  size_t used_ = 0;  // chunks in use, from the first
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace ordeal::tla
