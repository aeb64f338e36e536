// ZeroPages: a block of zeroed memory; a large one lies in pages of its own, and in huge ones where
// the system has them.
#pragma once

#include <cstddef>
#include <utility>

namespace ordeal {

class ZeroPages {
 public:
  ZeroPages() = default;
  // Throws std::bad_alloc.
  explicit ZeroPages(size_t bytes);
  ZeroPages(ZeroPages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ZeroPages& operator=(ZeroPages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~ZeroPages();

  void* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

// Memory for containers: a large block lies in pages of its own, which go back when it is freed.
void* take_pages(size_t bytes);  // throws std::bad_alloc
void give_pages_back(void* data, size_t bytes);

template <class T>
struct PageAllocator {
  using value_type = T;
  PageAllocator() = default;
  template <class U>
  PageAllocator(const PageAllocator<U>&) {}  // NOLINT: as allocators must have it
  T* allocate(size_t count) { return static_cast<T*>(take_pages(count * sizeof(T))); }
  void deallocate(T* data, size_t count) { give_pages_back(data, count * sizeof(T)); }
  bool operator==(const PageAllocator&) const { return true; }
};

// Gives back what the allocator keeps of memory that was freed.
void trim_heap();

}  // namespace ordeal
