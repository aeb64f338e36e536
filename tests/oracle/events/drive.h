// Takes actions of a world by the words that people see, and tells what events they give.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/event.h"
#include "ordeal/system.h"
#include "ordeal/world.h"

namespace ordeal::oracle {

inline std::vector<std::string> shown(const std::vector<Event>& events) {
  std::vector<std::string> out;
  for (const Event& event : events) out.push_back(show(event));
  return out;
}

class Drive {
 public:
  explicit Drive(const System& system) : world_(system.world()) {
    const auto valid = system.validate();
    EXPECT_TRUE(valid.ok()) << (valid.ok() ? "" : valid.error().message);
    EXPECT_TRUE(world_->reset().ok());
  }

  World& world() { return *world_; }

  // The action with these words; fails the test where it is not enabled.
  bool take(const std::string& action) {
    std::string enabled;
    for (uint32_t i = 0; i < world_->enabled().size(); ++i) {
      const std::string words = show(world_->action(i));
      if (words != action) {
        enabled += "\n  " + words;
        continue;
      }
      const auto done = world_->apply(i);
      EXPECT_TRUE(done.ok()) << action << ": " << (done.ok() ? "" : done.error().message);
      return done.ok();
    }
    ADD_FAILURE() << action << " is not enabled; these are:" << enabled;
    return false;
  }

  // The events of the action, in words.
  std::vector<std::string> events_of(const std::string& action) {
    if (!take(action)) return {};
    return shown(events());
  }
  std::vector<Event> events() {
    std::vector<Event> out;
    world_->events(out);
    return out;
  }
  std::vector<Event> on_its_way() {
    std::vector<Event> out;
    world_->on_its_way(out);
    return out;
  }
  std::vector<Offer> offers() {
    std::vector<Offer> out;
    for (uint32_t i = 0; i < world_->enabled().size(); ++i) out.push_back(world_->offer(i));
    return out;
  }

 private:
  std::unique_ptr<World> world_;
};

}  // namespace ordeal::oracle
