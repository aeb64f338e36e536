#include "base/pages.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace ordeal {
namespace {

// Below this, huge pages would waste more than they save.
constexpr size_t kHugePage = size_t{2} << 20;
// From here on a block has pages of its own, and gives them back. In the heap it would leave a
// hole: blocks that grow never fit into those that they have left.
constexpr size_t kOwnPages = size_t{64} << 10;
constexpr size_t kHeader = 64;  // of a block that may have them: whether it has

char* map(size_t bytes) {
  void* const start =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  return static_cast<char*>(start);
}

}  // namespace

ZeroPages::ZeroPages(size_t bytes) : size_(bytes) {
  if (bytes < kOwnPages) {
    data_ = std::calloc(bytes, 1);
    if (data_ == nullptr) throw std::bad_alloc();
    return;
  }
  if (bytes < kHugePage) {
    data_ = map(bytes);
    return;
  }
  // Aligned by hand: map more than needed, then give back both ends.
  const size_t mapped = bytes + kHugePage;
  char* const begin = map(mapped);
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
  if (size_ >= kOwnPages) {
    munmap(data_, size_);
  } else {
    std::free(data_);
  }
}

void* take_pages(size_t bytes) {
  if (bytes < kOwnPages) return ::operator new(bytes);
  // There is a limit on mappings: beyond it, the heap has to do.
  void* start =
      mmap(nullptr, bytes + kHeader, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool mapped = start != MAP_FAILED;
  if (!mapped) start = ::operator new(bytes + kHeader);
  *static_cast<bool*>(start) = mapped;
  return static_cast<char*>(start) + kHeader;
}

void give_pages_back(void* data, size_t bytes) {
  if (bytes < kOwnPages) return ::operator delete(data);
  void* const start = static_cast<char*>(data) - kHeader;
  if (*static_cast<bool*>(start)) {
    munmap(start, bytes + kHeader);
  } else {
    ::operator delete(start);
  }
}

void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace ordeal
