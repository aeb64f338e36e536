// A small system that does a bit of everything, and ways to run it under a scenario.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/ordeal.h"
#include "system/scenario/product.h"

namespace ordeal::town {

struct Shout {
  int n = 0;
};
struct Word {
  int n = 0;
};
struct Echo {
  int n = 0;
};

// Passes on what it is told to say; answers what it hears; keeps a list of both.
struct Person {
  using Messages = Types<Word, Echo>;
  using Requests = Types<Shout>;
  using Disk = int;
  std::vector<std::string> heard;
  bool tired = false;

  void request(Context& ctx, const Shout& shout) {
    ctx.log("shouts");
    ctx.broadcast(Word{shout.n});
    ctx.set_timer("rest");
  }
  void on(Context& ctx, NodeId from, const Word& word) {
    heard.push_back("word " + std::to_string(word.n) + " from " + std::to_string(from.value));
    ctx.reply(Echo{word.n});
    ctx.decide(word.n);
  }
  void on(Context&, NodeId from, const Echo& echo) {
    heard.push_back("echo " + std::to_string(echo.n) + " from " + std::to_string(from.value));
  }
  void timer(Context&, const std::string&) { tired = true; }
};

// Three people, the first of whom is told to shout 1.
inline System town() {
  System system;
  system.add<Person>(3).request(1, Shout{1});
  return system;
}

class Runs {
 public:
  Runs(const Scenario& scenario, System system)
      : system_(std::move(system)),
        product_(*monitor::Monitor::make(scenario, system_), system_),
        world_(product_.monitored_world()) {
    EXPECT_TRUE(world_->reset(0));
  }

  monitor::MonitoredWorld& world() { return *world_; }
  const monitor::Product& product() const { return product_; }

  // What may happen next, sorted as the world lists it.
  std::vector<std::string> enabled() {
    std::vector<std::string> out;
    for (uint32_t i = 0; i < world_->enabled().size(); ++i) out.push_back(show(world_->action(i)));
    return out;
  }
  // Takes the action of that text. False: it is not enabled.
  bool take(const std::string& text) {
    for (uint32_t i = 0; i < world_->enabled().size(); ++i) {
      if (show(world_->action(i)) == text) return world_->apply(i).ok();
    }
    ADD_FAILURE() << text << " is not enabled";
    return false;
  }
  // Takes the first enabled action until there is none; what was taken.
  std::vector<std::string> to_the_end() {
    std::vector<std::string> out;
    while (!world_->enabled().empty() && out.size() < 1000) {
      out.push_back(show(world_->action(0)));
      EXPECT_TRUE(world_->apply(0));
    }
    return out;
  }
  std::string state_of(int node) {
    for (const Snapshot::Part& part : world_->observe().parts) {
      if (part.node == node) return value::show(part.tree);
    }
    return "";
  }
  bool has_heard(int node, const std::string& what) {
    return state_of(node).find('"' + what + '"') != std::string::npos;
  }

 private:
  System system_;
  monitor::Product product_;
  std::unique_ptr<monitor::MonitoredWorld> world_;
};

inline bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace ordeal::town
