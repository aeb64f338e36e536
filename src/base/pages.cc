#include "base/pages.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace ordeal {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

// Below this, huge pages would waste more than they save.
bool is_large(size_t bytes) { return bytes >= kHugePage; }

}  // namespace

ZeroPages::ZeroPages(size_t bytes) : size_(bytes) {
  if (!is_large(bytes)) {
    data_ = std::calloc(bytes, 1);
    if (data_ == nullptr) throw std::bad_alloc();
    return;
  }
  // Aligned by hand: map more than needed, then give back both ends.
  const size_t mapped = bytes + kHugePage;
  void* const start =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  char* const begin = static_cast<char*>(start);
  const size_t skip = (kHugePage - reinterpret_cast<size_t>(begin) % kHugePage) % kHugePage;
  constexpr size_t kPage = 4096;
  const size_t kept = (bytes + kPage - 1) / kPage * kPage;
  if (skip > 0) munmap(begin, skip);
  munmap(begin + skip + kept, mapped - skip - kept);
  data_ = begin + skip;
  madvise(data_, kept, MADV_HUGEPAGE);
}

ZeroPages::~ZeroPages() {
  if (data_ == nullptr) return;
  if (is_large(size_)) {
    munmap(data_, size_);
  } else {
    std::free(data_);
  }
}

}  // namespace ordeal
