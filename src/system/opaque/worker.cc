#include "system/opaque/worker.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

#include "base/watch.h"

namespace ordeal::actor {
namespace {

constexpr uint32_t kLongestMessage = uint32_t{1} << 30;

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
    const bool waits = done < 0 && (errno == EINTR || errno == EAGAIN);
    if (waits && !calls_are_abandoned()) continue;
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
  if (!read_all(fd_, reinterpret_cast<char*>(&size), sizeof size) || size > kLongestMessage) {
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
  void* shared =
      mmap(nullptr, sizeof(LastWords), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  LastWords* const words = shared == MAP_FAILED ? nullptr : new (shared) LastWords;
  const pid_t parent = getpid();
  const pid_t pid = words == nullptr ? -1 : fork();
  if (pid < 0) {
    const int error = errno;
    if (words != nullptr) munmap(words, sizeof *words);
    close(ends[0]);
    close(ends[1]);
    return Error{std::string("cannot start a worker process: ") + strerror(error)};
  }
  if (pid == 0) {
    close(ends[0]);
    // Never outlive the checker; and an interrupt is the checker's business.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) end_process(0);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    let_signals_kill(words);
    Line line(ends[1]);
    serve(line);
    end_process(0);
  }
  close(ends[1]);
  // Who waits for a reply looks up now and then, in case nobody wants to wait any more.
  const timeval pause{0, 100'000};
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &pause, sizeof pause);
  return Worker(pid, ends[0], words);
}

Worker::Worker(Worker&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      fd_(std::exchange(other.fd_, -1)),
      words_(std::exchange(other.words_, nullptr)) {}

Worker& Worker::operator=(Worker&& other) noexcept {
  if (this != &other) {
    stop();
    pid_ = std::exchange(other.pid_, -1);
    fd_ = std::exchange(other.fd_, -1);
    words_ = std::exchange(other.words_, nullptr);
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
  if (words_ != nullptr) munmap(words_, sizeof *words_);
  words_ = nullptr;
}

std::string Worker::cause_of_death() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) return "its process is gone";
  }
  pid_ = -1;
  std::string said = heard(*words_);
  if (is_overdue(said)) remember_overdue(0);  // somebody may ask whether there was any
  if (!said.empty()) return said;
  if (WIFSIGNALED(status)) return signal_name(WTERMSIG(status));
  return "it ended its process with exit code " + std::to_string(WEXITSTATUS(status));
}

Result<std::string> Worker::call(const std::string& request) {
  // The worker watches its calls itself.
  words_->limit = watch::limit_here();
  const Unwatched waiting;
  const Line line(fd_);
  std::string reply;
  if (line.send(request) && line.receive(reply)) return reply;
  if (calls_are_abandoned()) abandon_work();
  return Error{cause_of_death()};
}

}  // namespace ordeal::actor
