#include "base/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace ordeal {

Result<LockFile> LockFile::take(const std::string& path) {
  for (;;) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) return Error{path + ": cannot be made: " + std::strerror(errno)};
    LockFile file(descriptor, path);
    // Some file systems know no locks: there, nobody is kept away.
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(std::exchange(file.descriptor_, -1));
      return Error{path + ": another process holds it"};
    }
    // Whoever had it may have removed it in between: then this is a file without a name.
    struct stat mine, there;
    if (fstat(descriptor, &mine) == 0 && stat(path.c_str(), &there) == 0 &&
        mine.st_ino == there.st_ino && mine.st_dev == there.st_dev) {
      return file;
    }
    close(std::exchange(file.descriptor_, -1));
  }
}

LockFile::LockFile(LockFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

LockFile& LockFile::operator=(LockFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  return *this;
}

LockFile::~LockFile() {
  if (descriptor_ < 0) return;
  unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace ordeal
