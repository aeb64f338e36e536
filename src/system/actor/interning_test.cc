// What is left out where values are interned as long as nobody asks for it must not show.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ordeal/system.h"
#include "ordeal/world.h"

namespace ordeal {
namespace {

struct Word {
  std::string text;
};

// Says something in all ways: messages, timers, disk, decisions.
struct Talker {
  using Messages = Types<Word>;
  using Disk = std::string;
  std::string heard;
  void start(Context& ctx) { ctx.set_timer("speak"); }
  void timer(Context& ctx, const std::string& name) {
    ctx.broadcast(Word{name});
    if (name == "speak") ctx.set_timer("again");
  }
  void on(Context& ctx, NodeId, const Word& word) {
    if (heard.size() > 12) return;
    heard += word.text;
    ctx.persist(heard);
    ctx.decide(word.text);
  }
};

// Every state by its first fingerprint, with the second; asked for at once, or when all are there.
std::map<uint64_t, uint64_t> second_fingerprints(bool at_once) {
  System system;
  system.add<Talker>(2).crash({1});
  const std::shared_ptr<StateSpace> space = system.space();
  const std::unique_ptr<Explorer> explorer = space->explorer();
  const auto initial = space->initial();
  EXPECT_TRUE(initial.ok());
  std::vector<std::vector<uint32_t>> states = {(*initial)[0].state};
  std::set<uint64_t> met = {(*initial)[0].fingerprint};
  std::map<uint64_t, uint64_t> out;
  const auto ask = [&](const std::vector<uint32_t>& state) {
    out[explorer->fingerprint(state)] = explorer->second_fingerprint(state);
  };
  if (at_once) ask(states[0]);
  for (size_t at = 0; at < states.size(); ++at) {
    const std::vector<uint32_t> state = states[at];
    std::vector<Choice> choices;
    explorer->enumerate(state, choices);
    for (const Choice& choice : choices) {
      if (choice.fails) continue;
      std::vector<uint32_t> next;
      const uint64_t fingerprint =
          explorer->apply(state, explorer->fingerprint(state), choice, next);
      if (!met.insert(fingerprint).second) continue;
      if (at_once) ask(next);
      states.push_back(std::move(next));
    }
  }
  if (!at_once) {
    for (const std::vector<uint32_t>& state : states) ask(state);
  }
  return out;
}

TEST(Interning, TheSecondFingerprintIsTheSameWheneverItIsAskedFor) {
  const std::map<uint64_t, uint64_t> first = second_fingerprints(true);
  EXPECT_GT(first.size(), 100U);
  std::set<uint64_t> different;
  for (const auto& [fingerprint, second] : first) different.insert(second);
  EXPECT_EQ(different.size(), first.size());
  EXPECT_EQ(second_fingerprints(false), first);
}

// More of them than have a place where they are looked up by name.
struct Alarmed {
  int rung = 0;
  int left = 60;
  void start(Context& ctx) { ctx.set_timer("alarm 60"); }
  void timer(Context& ctx, const std::string& name) {
    ORDEAL_ASSERT(name == "alarm " + std::to_string(left));
    ++rung;
    if (--left > 0) ctx.set_timer("alarm " + std::to_string(left));
  }
};

TEST(Interning, ManyTimersOfOneNodeFireUnderTheirOwnNames) {
  System system;
  system.add<Alarmed>(1);
  const std::shared_ptr<StateSpace> space = system.space();
  const std::unique_ptr<Explorer> explorer = space->explorer();
  const auto initial = space->initial();
  ASSERT_TRUE(initial.ok());
  std::vector<uint32_t> state = (*initial)[0].state;
  for (int left = 60; left > 0; --left) {
    std::vector<Choice> choices;
    explorer->enumerate(state, choices);
    ASSERT_EQ(choices.size(), 1U) << left;
    EXPECT_FALSE(choices[0].fails) << left;
    EXPECT_EQ(explorer->action(state, choices[0]).type, "alarm " + std::to_string(left));
    std::vector<uint32_t> next;
    explorer->apply(state, explorer->fingerprint(state), choices[0], next);
    state = next;
  }
  std::vector<Choice> choices;
  explorer->enumerate(state, choices);
  EXPECT_TRUE(choices.empty());
}

}  // namespace
}  // namespace ordeal
