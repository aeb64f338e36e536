// Kept: what was started on request and goes on in the background, by name. Any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ordeal::serve {

// REQUIRES: T has id() and running().
template <class T>
class Kept {
 public:
  explicit Kept(size_t most) : most_(most) {}

  // Keeps what `make` makes of a new name. The oldest that is over makes room; whoever still reads
  // it has it. Null: all of them are running.
  template <class Make>
  std::shared_ptr<T> add(Make make) {
    std::shared_ptr<T> gone;  // parted with when nobody waits: that may take its time
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= most_) {
      const auto over =
          std::find_if(kept_.begin(), kept_.end(), [](const auto& one) { return !one->running(); });
      if (over == kept_.end()) return nullptr;
      gone = std::move(*over);
      kept_.erase(over);
    }
    kept_.push_back(make(std::to_string(++count_)));
    return kept_.back();
  }

  // The newest first.
  std::vector<std::shared_ptr<T>> all() const {
    const std::lock_guard lock(mutex_);
    return {kept_.rbegin(), kept_.rend()};
  }

  // Null: there is none of that name (any more).
  std::shared_ptr<T> find(const std::string& id) const {
    const auto kept = all();
    const auto at =
        std::find_if(kept.begin(), kept.end(), [&](const auto& one) { return one->id() == id; });
    return at == kept.end() ? nullptr : *at;
  }

  size_t running() const {
    const auto kept = all();
    return static_cast<size_t>(
        std::count_if(kept.begin(), kept.end(), [](const auto& one) { return one->running(); }));
  }

 private:
  const size_t most_;
  mutable std::mutex mutex_;
  uint64_t count_ = 0;  // ever
  std::vector<std::shared_ptr<T>> kept_;
};

}  // namespace ordeal::serve
