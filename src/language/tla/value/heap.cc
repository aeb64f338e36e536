#include "language/tla/value/heap.h"

#include <algorithm>
#include <functional>

#include "language/tla/value/value.h"

namespace ordeal::tla {

void* Heap::allocate_chunk(size_t bytes) {
  // A chunk that was kept by clear(), where it is large enough.
  if (used_ == chunks_.size() || chunks_[used_].size < bytes) {
    const size_t grown = chunks_.empty() ? kFirst : std::min(chunks_.back().size * 2, kKept);
    Chunk chunk;
    chunk.size = std::max(bytes, grown);
    if (bytes_ + chunk.size > kMost) {
      fail(
          "evaluating this takes more than 4 GiB of memory: a set, or what is gone through, is too "
          "large");
    }
    // Not cleared: whoever allocates writes all of it.
    chunk.memory.reset(new std::byte[chunk.size]);
    bytes_ += chunk.size;
    chunks_.insert(chunks_.begin() + static_cast<ptrdiff_t>(used_), std::move(chunk));
  }
  Chunk& chunk = chunks_[used_++];
  at_ = chunk.memory.get() + bytes;
  end_ = chunk.memory.get() + chunk.size;
  return chunk.memory.get();
}

void Heap::clear() {
  size_t kept = 0;
  size_t bytes = 0;
  while (kept < chunks_.size() && bytes + chunks_[kept].size <= kKept)
    bytes += chunks_[kept++].size;
  chunks_.resize(kept);
  bytes_ = bytes;
  used_ = 0;
  at_ = end_ = nullptr;
}

bool Heap::owns(const void* what) const {
  const auto* const at = static_cast<const std::byte*>(what);
  const std::less<const std::byte*> before;
  for (size_t i = used_; i-- > 0;) {
    const std::byte* const begin = chunks_[i].memory.get();
    if (!before(at, begin) && before(at, begin + chunks_[i].size)) return true;
  }
  return false;
}

}  // namespace ordeal::tla
