// A second process that explores the same subject with ids of its own. It is asked about states
// that come as content: what they are, what is possible there, and where a choice leads.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "ordeal/value.h"
#include "ordeal/world.h"
#include "system/opaque/worker.h"

namespace ordeal::oracle {

// All that is said of a state.
struct Told {
  std::string problem;
  uint64_t fingerprint = 0;
  uint64_t second = 0;
  bool within = true;
  std::vector<std::string> actions;  // that are possible, in their order
  std::vector<uint64_t> keys;
  std::vector<uint32_t> violated;
  std::string picture;    // of the state, for people
  std::string successor;  // as content; empty: the choice fails
};

inline std::string pictured(const Snapshot& snapshot) {
  std::string out = std::to_string(snapshot.digest);
  for (const Snapshot::Part& part : snapshot.parts) {
    out += "\n" + part.name + " " + value::show(part.tree);
  }
  for (const Sent& sent : snapshot.pending) {
    out += "\n" + std::to_string(sent.from) + ">" + std::to_string(sent.to) + " " + sent.text;
  }
  return out;
}

// What this process says. `choice` is one of those that are possible, modulo how many there are.
inline Told tell(StateSpace& space, Explorer& explorer, const std::string& state, uint64_t choice) {
  Told told;
  std::vector<uint32_t> packed;
  const Result<uint64_t> decoded = space.decode(state, packed);
  if (!decoded) {
    told.problem = decoded.error().message;
    return told;
  }
  told.fingerprint = *decoded;
  if (explorer.fingerprint(packed) != *decoded) told.problem = "decode() gave another fingerprint";
  told.second = explorer.second_fingerprint(packed);
  told.within = explorer.within(packed);
  told.picture = pictured(explorer.observe(packed));
  std::vector<Choice> choices;
  explorer.enumerate(packed, choices);
  bool terminal = true;
  for (const Choice& one : choices) {
    told.actions.push_back(show(explorer.action(packed, one)));
    told.keys.push_back(explorer.key(packed, one));
    terminal = terminal && !one.progress;
  }
  Judgement judgement;
  explorer.judge(packed, terminal, judgement);
  told.violated = judgement.violated;
  if (choices.empty()) return told;
  choices.clear();
  explorer.enumerate(packed, choices);
  const Choice& taken = choices[choice % choices.size()];
  if (taken.fails) return told;
  std::vector<uint32_t> next;
  explorer.apply(packed, *decoded, taken, next);
  space.encode(next, told.successor);
  return told;
}

// How two differ, for a person; empty: they do not.
inline std::string difference(const Told& a, const Told& b) {
  if (a.problem != b.problem) return "a problem: " + a.problem + b.problem;
  if (!a.problem.empty()) return a.problem;
  if (a.picture != b.picture) return "another state:\n" + a.picture + "\n--\n" + b.picture;
  if (a.fingerprint != b.fingerprint) return "another fingerprint";
  if (a.second != b.second) return "another second fingerprint";
  if (a.within != b.within) return "another word on the constraint";
  if (a.actions != b.actions) return "other actions";
  if (a.keys != b.keys) return "other keys";
  if (a.violated != b.violated) return "other violations";
  if (a.successor != b.successor) return "another successor";
  return "";
}

class OtherProcess {
 public:
  using Make = std::function<std::shared_ptr<StateSpace>()>;

  explicit OtherProcess(const Make& make)
      : worker_(actor::Worker::start([make](actor::Line& line) { serve(make(), line); })) {}

  Told tell(const std::string& state, uint64_t choice) {
    std::string question;
    value::write(state, question);
    value::write(choice, question);
    Told told;
    const Result<std::string> answer =
        worker_ ? worker_->call(question) : Result<std::string>(worker_.error());
    if (!answer) {
      told.problem = answer.error().message;
      return told;
    }
    std::string_view rest = *answer;
    if (!value::read(rest, told)) told.problem = "the other process is not understood";
    return told;
  }

 private:
  // Other states come first, so that ids are others than those of the first process.
  static void wander(StateSpace& space, Explorer& explorer) {
    const auto initial = space.initial();
    if (!initial) return;
    Rng rng(99);
    std::vector<uint32_t> state = initial->back().state;
    for (int step = 0; step < 15; ++step) {
      std::vector<Choice> choices;
      explorer.enumerate(state, choices);
      if (choices.empty()) return;
      const Choice& choice = choices[rng.below(choices.size())];
      if (choice.fails) return;
      std::vector<uint32_t> next;
      explorer.apply(state, explorer.fingerprint(state), choice, next);
      state = std::move(next);
    }
  }

  static void serve(const std::shared_ptr<StateSpace>& space, actor::Line& line) {
    const std::unique_ptr<Explorer> explorer = space->explorer();
    wander(*space, *explorer);
    for (std::string question; line.receive(question);) {
      std::string_view rest = question;
      std::string state;
      uint64_t choice = 0;
      if (!value::read(rest, state) || !value::read(rest, choice)) return;
      std::string answer;
      value::write(oracle::tell(*space, *explorer, state, choice), answer);
      if (!line.send(answer)) return;
    }
  }

  Result<actor::Worker> worker_;
};

// Random walks in which every state is seen by both processes, and each step is taken by the other
// one. The first disagreement; "": there is none.
inline std::string problem_with_travel(const OtherProcess::Make& make, uint64_t seed, int runs,
                                       int length, uint64_t& steps) {
  OtherProcess other(make);
  const std::shared_ptr<StateSpace> space = make();
  if (!space->can_travel()) return "its states cannot leave the process";
  const std::unique_ptr<Explorer> explorer = space->explorer();
  const auto initial = space->initial();
  if (!initial) return "";
  Rng rng(seed);
  for (int run = 0; run < runs; ++run) {
    const StateSpace::Initial& start = (*initial)[rng.below(initial->size())];
    std::string state;
    space->encode(start.state, state);
    for (int step = 0; step < length && !state.empty(); ++step) {
      const uint64_t choice = rng.below(1 << 20);
      const Told here = tell(*space, *explorer, state, choice);
      const Told there = other.tell(state, choice);
      const std::string problem = difference(here, there);
      if (!problem.empty()) return problem;
      state = rng.below(2) == 0 ? here.successor : there.successor;
      ++steps;
    }
  }
  return "";
}

}  // namespace ordeal::oracle
