// A worker process: runs a function of (request) -> (reply) on demand, and dies with the subject if
// the subject kills it. Requests and replies are byte strings over a socket pair.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "base/guard.h"
#include "ordeal/result.h"

namespace ordeal::actor {

// The worker's end of the line.
class Line {
 public:
  explicit Line(int fd) : fd_(fd) {}
  // False: the other side is gone.
  bool send(const std::string& bytes) const;
  bool receive(std::string& bytes) const;

 private:
  int fd_;
};

class Worker {
 public:
  // Forks; `serve(line)` runs in the child until it returns.
  static Result<Worker> start(const std::function<void(Line&)>& serve);
  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&& other) noexcept;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  // An Error: the worker died; it says of what.
  Result<std::string> call(const std::string& request);

 private:
  Worker(pid_t pid, int fd, LastWords* words) : pid_(pid), fd_(fd), words_(words) {}
  void stop();
  std::string cause_of_death();

  pid_t pid_ = -1;
  int fd_ = -1;
  LastWords* words_ = nullptr;  // in memory that both sides see
};

}  // namespace ordeal::actor
