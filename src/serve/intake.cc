#include "serve/intake.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

namespace ordeal::serve {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr size_t kMaxHead = 32 << 10;
constexpr auto kHeadTime = seconds(10);
constexpr auto kBodyTime = seconds(120);
constexpr auto kBlockedTime = seconds(120);
constexpr auto kFinishTime = seconds(1);
constexpr milliseconds kGlance(100);  // how often to see whether everything is to stop

bool is_left_out(const std::string& header) {
  std::string name = header.substr(0, header.find(':'));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name == "range" || name == "accept-encoding";
}

std::string without_those_left_out(const std::string& head) {
  std::string out;
  for (size_t at = 0; at < head.size();) {
    const size_t end = head.find("\r\n", at) + 2;
    const std::string one = head.substr(at, end - at);
    if (at == 0 || !is_left_out(one)) out += one;
    at = end;
  }
  return out;
}

}  // namespace

bool Intake::wait_for(short events, Clock::time_point until) const {
  while (!stopping_) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd one{socket_, events, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(std::min(left, kGlance).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

ssize_t Intake::receive(char* to, size_t size, Clock::time_point until) {
  while (wait_for(POLLIN, until)) {
    const ssize_t got = ::recv(socket_, to, size, MSG_DONTWAIT);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
  }
  return -1;
}

Intake::Head Intake::read_head() {
  const auto until = Clock::now() + kHeadTime;
  std::string all;
  std::array<char, 4096> some{};
  size_t end = all.npos;
  while (end == all.npos) {
    if (all.size() > kMaxHead) return Head::kTooLong;
    const ssize_t got = receive(some.data(), some.size(), until);
    if (got <= 0) return all.empty() || got == 0 ? Head::kGone : Head::kTooSlow;
    const size_t from = all.size() < 3 ? 0 : all.size() - 3;
    all.append(some.data(), static_cast<size_t>(got));
    end = all.find("\r\n\r\n", from);
  }
  waiting_ = without_those_left_out(all.substr(0, end + 4)) + all.substr(end + 4);
  body_until_ = Clock::now() + kBodyTime;
  return Head::kWhole;
}

ssize_t Intake::read(char* to, size_t size) {
  if (read_so_far_ == waiting_.size()) return receive(to, size, body_until_);
  const size_t count = std::min(size, waiting_.size() - read_so_far_);
  std::memcpy(to, waiting_.data() + read_so_far_, count);
  read_so_far_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t Intake::write(const char* from, size_t size) {
  while (true) {
    const ssize_t sent = ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return sent;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return -1;
    const auto began = Clock::now();
    const bool ready = wait_for(POLLOUT, began + (kBlockedTime - blocked_));
    blocked_ += Clock::now() - began;
    if (!ready) return -1;
  }
}

bool Intake::is_open() const {
  pollfd one{socket_, POLLRDHUP, 0};
  return ::poll(&one, 1, 0) == 0;
}

void Intake::finish() {
  ::shutdown(socket_, SHUT_WR);
  // What is still on its way would otherwise make the answer vanish with the connection.
  std::array<char, 16384> rest{};
  const auto until = Clock::now() + kFinishTime;
  while (receive(rest.data(), rest.size(), until) > 0) {
  }
}

}  // namespace ordeal::serve
