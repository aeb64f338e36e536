#include "base/scratch_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace ordeal {
namespace {

Error trouble(const std::string& folder, const char* what) {
  return Error{folder + ": " + what + ": " + std::strerror(errno)};
}

}  // namespace

Result<ScratchFile> ScratchFile::in(const std::string& folder) {
  int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
    // The file system knows no nameless files: take the name away at once.
    std::string path = folder + "/ordeal-XXXXXX";
    descriptor = mkostemp(path.data(), O_CLOEXEC);
    if (descriptor >= 0) unlink(path.c_str());
  }
  if (descriptor < 0) return trouble(folder, "cannot make a file there");
  return ScratchFile(descriptor, folder);
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_(std::exchange(other.size_, 0)),
      folder_(std::move(other.folder_)) {}

ScratchFile& ScratchFile::operator=(ScratchFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  std::swap(folder_, other.folder_);
  return *this;
}

ScratchFile::~ScratchFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<uint64_t> ScratchFile::append(const void* data, size_t bytes) {
  const uint64_t start = size_;
  if (const auto done = write(start, data, bytes); !done) return done.error();
  size_ += bytes;
  return start;
}

Result<void> ScratchFile::write(uint64_t at, const void* data, size_t bytes) {
  const char* from = static_cast<const char*>(data);
  for (size_t done = 0; done < bytes;) {
    const ssize_t wrote =
        pwrite(descriptor_, from + done, bytes - done, static_cast<off_t>(at + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote == 0) errno = ENOSPC;
    if (wrote <= 0) return trouble(folder_, "cannot write there");
    done += static_cast<size_t>(wrote);
  }
  return {};
}

Result<void> ScratchFile::read(uint64_t at, void* data, size_t bytes) const {
  char* to = static_cast<char*>(data);
  for (size_t done = 0; done < bytes;) {
    const ssize_t got = pread(descriptor_, to + done, bytes - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;
    if (got <= 0) return trouble(folder_, "cannot read back from there");
    done += static_cast<size_t>(got);
  }
  return {};
}

void ScratchFile::clear() {
  size_ = 0;
  if (ftruncate(descriptor_, 0) != 0) return;  // the space comes back when the file is closed
}

}  // namespace ordeal
