#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace ordeal {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

Error cannot(const char* what, const std::string& path, const std::string& why) {
  return Error{fmt::format("cannot {} {}: {}", what, path.empty() ? "''" : path, why)};
}

// What discard_unfinished_file() removes. A plain buffer, because a signal handler reads it.
std::array<char, PATH_MAX> unfinished_path;
std::atomic<bool> unfinished{false};

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  // Where a full disk or a network file system tells last.
  int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

 private:
  int fd_;
};

// 0, or the errno of what failed.
int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    content.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

struct Target {
  std::string path;     // where links lead to
  bool direct = false;  // exists and is no regular file
};

Result<Target> resolve(const std::string& path) {
  if (path.empty()) return cannot("write", path, "the path is empty");
  Target target{path, false};
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return cannot("write", path, "it is a folder");
    target.direct = !S_ISREG(info.st_mode);
    std::error_code ignored;
    const std::filesystem::path real = std::filesystem::canonical(path, ignored);
    if (!ignored) target.path = real.string();
  } else if (errno != ENOENT) {
    return cannot("write", path, reason(errno));
  }
  return target;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// A new file beside `path`, noted as unfinished. The name carries the process id, so that two
// processes that write to the same file do not meet.
Result<int> open_beside(const std::string& path, std::string& beside) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    beside = fmt::format("{}.{}-{}.tmp", path, ::getpid(), attempt);
    if (beside.size() >= unfinished_path.size()) {
      return cannot("write", path, reason(ENAMETOOLONG));
    }
    std::copy(beside.c_str(), beside.c_str() + beside.size() + 1, unfinished_path.begin());
    const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      unfinished = true;
      return fd;
    }
    if (errno != EEXIST) break;
  }
  const int error = errno;
  if (error == ENOENT) {
    return cannot("write", path, fmt::format("there is no folder {}", folder_of(path)));
  }
  return cannot("write", path, reason(error));
}

}  // namespace

Result<std::string> read_file(const std::string& path, uint64_t max_bytes) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return cannot("read", path, reason(errno));
  std::string content;
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0) {
      if (errno == EINTR) continue;
      return cannot("read", path, reason(errno));
    }
    if (got == 0) return content;
    if (content.size() + static_cast<size_t>(got) > max_bytes) {
      return cannot("read", path, fmt::format("it is longer than {} bytes", max_bytes));
    }
    content.append(buffer.data(), static_cast<size_t>(got));
  }
}

Result<void> write_file_atomically(const std::string& path, std::string_view content) {
  const Result<Target> target = resolve(path);
  if (!target) return target.error();
  if (target->direct) {
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) return cannot("write", path, reason(errno));
    int error = write_all(file.get(), content);
    if (const int closing = file.close(); error == 0) error = closing;
    if (error != 0) return cannot("write", path, reason(error));
    return {};
  }
  std::string beside;
  const Result<int> opened = open_beside(target->path, beside);
  if (!opened) return opened.error();
  FileDescriptor file(*opened);
  int error = write_all(file.get(), content);
  if (error == 0 && ::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP) error = errno;
  if (const int closing = file.close(); error == 0) error = closing;
  struct stat old {};
  if (error == 0 && ::stat(target->path.c_str(), &old) == 0) {
    ::chmod(beside.c_str(), old.st_mode & 07777);
  }
  if (error == 0 && ::rename(beside.c_str(), target->path.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(beside.c_str());
  unfinished = false;
  if (error != 0) return cannot("write", path, reason(error));
  // The rename itself becomes durable with the folder. Where folders cannot be synced, the file is
  // still whole.
  const FileDescriptor folder(
      ::open(folder_of(target->path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());
  return {};
}

Result<void> check_writable(const std::string& path) {
  const Result<Target> target = resolve(path);
  if (!target) return target.error();
  if (target->direct) {
    if (::access(path.c_str(), W_OK) != 0) return cannot("write", path, reason(errno));
    return {};
  }
  std::string beside;
  const Result<int> opened = open_beside(target->path, beside);
  if (!opened) return opened.error();
  ::close(*opened);
  ::unlink(beside.c_str());
  unfinished = false;
  return {};
}

void discard_unfinished_file() {
  if (unfinished) ::unlink(unfinished_path.data());
}

}  // namespace ordeal
