// Sealed files: numbers, texts and bytes in a row, with a hash over all of them behind, so that a
// file that was cut off or changed is told from a whole one before anything in it is believed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ordeal/result.h"

namespace ordeal {

class SealedWriter {
 public:
  // Does not own the descriptor.
  explicit SealedWriter(int descriptor);

  void number(uint64_t n) { raw(&n, sizeof n); }
  void text(std::string_view t);
  void raw(const void* data, size_t bytes);
  // Writes what is left and the seal, and waits until the disk has it.
  Result<void> finish();
  bool failed() const { return !error_.empty(); }

 private:
  void flush();

  int descriptor_;
  std::string buffer_;
  std::string error_;
  uint64_t hash_;
};

class SealedReader {
 public:
  explicit SealedReader(int descriptor) : descriptor_(descriptor) {}

  // Goes through the whole file. False: it is not as it was written. Call it first.
  bool check();

  uint64_t number();
  // A number of things of at least `bytes` bytes each: never more than the file can hold.
  uint64_t count(uint64_t bytes);
  std::string text();
  void raw(void* data, size_t bytes);
  // More was asked for than there is, or what was read makes no sense; everything since is zeros.
  bool bad() const { return bad_; }
  void spoil() { bad_ = true; }
  bool at_end() const { return left_ == 0; }

 private:
  void refill(size_t wanted);
  bool read_at(uint64_t at, void* data, size_t bytes) const;

  int descriptor_;
  std::string buffer_;
  size_t used_ = 0;
  uint64_t at_ = 0;    // of what the buffer does not have yet
  uint64_t left_ = 0;  // to be read
  bool bad_ = false;
};

}  // namespace ordeal
