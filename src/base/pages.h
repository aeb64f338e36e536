// ZeroPages: a block of zeroed memory; a large one lies in huge pages where the system has them.
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

}  // namespace ordeal
