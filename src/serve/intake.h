// Intake: what a client sends, as far as it is willing to send it in time and within bounds, and as
// far as the HTTP library may see it.
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

namespace ordeal::serve {

class Intake {
 public:
  using Clock = std::chrono::steady_clock;

  // `stopping`: nothing is waited for any more. REQUIRES: outlives this.
  Intake(int socket, const std::atomic<bool>& stopping) : socket_(socket), stopping_(stopping) {}

  enum class Head { kWhole, kGone, kTooLong, kTooSlow };
  // Reads the request line and the headers. Those that would have the library compress its answers
  // or send parts of them are left out: neither is worth the work here.
  Head read_head();

  // As ::recv() and ::send(); less than 1: there is nothing more, or the time is up.
  ssize_t read(char* to, size_t size);
  ssize_t write(const char* from, size_t size);
  // The other end is there and takes something.
  bool is_open() const;

  // Says that nothing more will come and waits, a little, for the other end to see it.
  void finish();

 private:
  ssize_t receive(char* to, size_t size, Clock::time_point until);
  bool wait_for(short events, Clock::time_point until) const;

  int socket_;
  const std::atomic<bool>& stopping_;
  std::string waiting_;  // received, or to be seen as received, and not yet read
  size_t read_so_far_ = 0;
  Clock::time_point body_until_;
  Clock::duration blocked_{};  // waiting for the client to take something, in all
};

}  // namespace ordeal::serve
