#include "actor/worker.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "base/guard.h"

namespace ordeal::actor {
namespace {

constexpr uint32_t kMostBytes = uint32_t{1} << 30;

bool write_all(int fd, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t done = ::send(fd, data, size, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    data += done;
    size -= static_cast<size_t>(done);
  }
  return true;
}

bool read_all(int fd, char* data, size_t size) {
  while (size > 0) {
    const ssize_t done = ::recv(fd, data, size, 0);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    data += done;
    size -= static_cast<size_t>(done);
  }
  return true;
}

}  // namespace

bool Line::send(const std::string& bytes) const {
  const uint32_t size = static_cast<uint32_t>(bytes.size());
  std::string framed(reinterpret_cast<const char*>(&size), sizeof size);
  framed += bytes;
  return write_all(fd_, framed.data(), framed.size());
}

bool Line::receive(std::string& bytes) const {
  uint32_t size = 0;
  if (!read_all(fd_, reinterpret_cast<char*>(&size), sizeof size) || size > kMostBytes) {
    return false;
  }
  bytes.resize(size);
  return read_all(fd_, bytes.data(), size);
}

Result<Worker> Worker::start(const std::function<void(Line&)>& serve) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{std::string("cannot start a worker process: ") + strerror(errno)};
  }
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    return Error{std::string("cannot start a worker process: ") + strerror(error)};
  }
  if (pid == 0) {
    close(ends[0]);
    // Never outlive the checker; and an interrupt is the checker's business.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    let_signals_kill();
    Line line(ends[1]);
    serve(line);
    _exit(0);
  }
  close(ends[1]);
  return Worker(pid, ends[0]);
}

Worker::Worker(Worker&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), fd_(std::exchange(other.fd_, -1)) {}

Worker& Worker::operator=(Worker&& other) noexcept {
  if (this != &other) {
    stop();
    pid_ = std::exchange(other.pid_, -1);
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

Worker::~Worker() { stop(); }

void Worker::stop() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
}

std::string Worker::cause_of_death() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) return "its process is gone";
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) return signal_name(WTERMSIG(status));
  return "it ended its process with exit code " + std::to_string(WEXITSTATUS(status));
}

Result<std::string> Worker::call(const std::string& request) {
  const Line line(fd_);
  std::string reply;
  if (line.send(request) && line.receive(reply)) return reply;
  return Error{cause_of_death()};
}

}  // namespace ordeal::actor
