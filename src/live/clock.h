// Clock: the time of a live run, in milliseconds since its start, at a speed that can be changed.
#pragma once

#include <algorithm>
#include <chrono>

namespace ordeal::live {

class Clock {
 public:
  using Real = std::chrono::steady_clock;

  double now() const {
    const std::chrono::duration<double, std::milli> since = Real::now() - changed_;
    return before_ + since.count() * speed_;
  }
  // When it will be that time. A speed of 0.001 makes a minute 17 hours: the wait is bounded, and
  // whoever waits looks again.
  Real::time_point when(double time) const {
    constexpr double kMost = 60'000;
    const double wait = std::min(kMost, std::max(0.0, (time - now()) / speed_));
    return Real::now() + std::chrono::duration_cast<Real::duration>(
                             std::chrono::duration<double, std::milli>(wait));
  }
  double speed() const { return speed_; }
  void set_speed(double speed) {
    before_ = now();
    changed_ = Real::now();
    speed_ = speed;
  }

 private:
  Real::time_point changed_ = Real::now();
  double before_ = 0;
  double speed_ = 1;
};

}  // namespace ordeal::live
