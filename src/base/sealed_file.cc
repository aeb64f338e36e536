#include "base/sealed_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/hash.h"

namespace ordeal {
namespace {

constexpr size_t kBlock = size_t{1} << 18;
constexpr uint64_t kSeed = 0x9ddfea08eb382d69ULL;

uint64_t hash_on(uint64_t hash, const std::string& block) {
  detail::Hasher hasher(hash);
  hasher.bytes(block.data(), block.size());
  hasher.word(block.size());
  return hasher.finish();
}

}  // namespace

SealedWriter::SealedWriter(int descriptor) : descriptor_(descriptor), hash_(kSeed) {
  buffer_.reserve(kBlock);
}

void SealedWriter::text(std::string_view t) {
  number(t.size());
  raw(t.data(), t.size());
}

void SealedWriter::raw(const void* data, size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const size_t part = std::min(bytes, kBlock - buffer_.size());
    buffer_.append(from, part);
    from += part;
    bytes -= part;
    if (buffer_.size() == kBlock) flush();
  }
}

Result<void> SealedWriter::finish() {
  if (!buffer_.empty()) flush();
  const uint64_t seal = hash_;
  buffer_.assign(reinterpret_cast<const char*>(&seal), sizeof seal);
  flush();
  if (error_.empty() && fsync(descriptor_) != 0) error_ = std::strerror(errno);
  if (!error_.empty()) return Error{error_};
  return {};
}

void SealedWriter::flush() {
  hash_ = hash_on(hash_, buffer_);
  for (size_t done = 0; done < buffer_.size() && error_.empty();) {
    const ssize_t wrote = write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) error_ = std::strerror(wrote == 0 ? ENOSPC : errno);
    done += wrote > 0 ? static_cast<size_t>(wrote) : 0;
  }
  buffer_.clear();
}

bool SealedReader::check() {
  struct stat info;
  if (fstat(descriptor_, &info) != 0) return false;
  const uint64_t size = static_cast<uint64_t>(info.st_size);
  if (size < sizeof(uint64_t)) return false;
  left_ = size - sizeof(uint64_t);
  uint64_t hash = kSeed;
  std::string block;
  for (uint64_t at = 0; at < left_; at += block.size()) {
    block.resize(std::min<uint64_t>(kBlock, left_ - at));
    if (!read_at(at, block.data(), block.size())) return false;
    hash = hash_on(hash, block);
  }
  uint64_t seal = 0;
  return read_at(left_, &seal, sizeof seal) && seal == hash;
}

uint64_t SealedReader::number() {
  uint64_t n = 0;
  raw(&n, sizeof n);
  return n;
}

uint64_t SealedReader::count(uint64_t bytes) {
  const uint64_t n = number();
  if (n <= left_ / bytes) return n;
  bad_ = true;
  return 0;
}

std::string SealedReader::text() {
  std::string t(count(1), '\0');
  raw(t.data(), t.size());
  return t;
}

void SealedReader::raw(void* data, size_t bytes) {
  char* to = static_cast<char*>(data);
  if (bytes > left_) bad_ = true;
  if (bad_) {
    std::memset(to, 0, bytes);
    return;
  }
  left_ -= bytes;
  while (bytes > 0 && !bad_) {
    if (used_ == buffer_.size()) refill(bytes);
    const size_t part = std::min(bytes, buffer_.size() - used_);
    std::memcpy(to, buffer_.data() + used_, part);
    to += part;
    used_ += part;
    bytes -= part;
  }
}

void SealedReader::refill(size_t wanted) {
  buffer_.resize(std::min<uint64_t>(kBlock, left_ + wanted));
  used_ = 0;
  if (!read_at(at_, buffer_.data(), buffer_.size())) bad_ = true;
  at_ += buffer_.size();
}

bool SealedReader::read_at(uint64_t at, void* data, size_t bytes) const {
  for (size_t done = 0; done < bytes;) {
    const ssize_t got = pread(descriptor_, static_cast<char*>(data) + done, bytes - done,
                              static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<size_t>(got);
  }
  return true;
}

}  // namespace ordeal
