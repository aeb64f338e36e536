// ScratchFile: disk space for one process. It has no name: however the process ends, nothing is
// left behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ordeal/result.h"

namespace ordeal {

class ScratchFile {
 public:
  // An Error where the folder does not exist or cannot be written to.
  static Result<ScratchFile> in(const std::string& folder);

  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&& other) noexcept;
  ~ScratchFile();

  // Where the bytes went. An Error where there is no room left.
  Result<uint64_t> append(const void* data, size_t bytes);
  // Over what is there. REQUIRES: it was appended.
  Result<void> write(uint64_t at, const void* data, size_t bytes);
  Result<void> read(uint64_t at, void* data, size_t bytes) const;
  // Gives all space back.
  void clear();
  uint64_t size() const { return size_; }

 private:
  ScratchFile(int descriptor, std::string folder)
      : descriptor_(descriptor), folder_(std::move(folder)) {}

  int descriptor_ = -1;
  uint64_t size_ = 0;
  std::string folder_;  // for messages
};

}  // namespace ordeal
