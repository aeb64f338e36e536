// A world that has nothing to do with nodes and messages: threads that count together under a lock,
// or without one. All that the engine and the reports know of its actions is what it describes.
#pragma once

#include <string>
#include <vector>

#include "ordeal/model.h"

namespace ordeal::kinds {

enum class Does { kLock, kRead, kWrite, kUnlock, kKill, kWake };

struct Threads {
  struct Thread {
    int at = 0;  // lock, read, write, unlock, done
    int seen = 0;
    bool killed = false;
  };
  struct State {
    int count = 0;
    int owner = -1;
    bool woken = false;
    std::vector<Thread> threads;
  };
  struct Action {
    int thread = 0;
    Does does = Does::kLock;
  };

  bool locked = true;  // false: the bug, nobody takes the lock
  int kills = 0;

  // [kinds]
  std::vector<DescribedKind> kinds() const {
    using Colour = DescribedKind::Colour;
    return {{"lock", "{node} takes {what}", "L", Colour::kAmber},
            {"read", "{node} reads {what}", "r", Colour::kBlue},
            {"write", "{node} writes {what}", "w", Colour::kBlue},
            {"unlock", "{node} gives {what} back", "U", Colour::kAmber},
            {"kill", "", "†", Colour::kRed, true},
            {"wake", "{from} wakes {node}"}};
  }
  Doing doing(const State& s, const Action& a) const {
    const Thread& thread = s.threads[static_cast<size_t>(a.thread)];
    switch (a.does) {
      case Does::kLock:
        return {"lock", a.thread, -1, "m"};
      case Does::kUnlock:
        return {"unlock", a.thread, -1, "m"};
      case Does::kRead:
        return {"read", a.thread, -1, std::to_string(s.count)};
      case Does::kWrite:
        return {"write", a.thread, -1, std::to_string(thread.seen + 1)};
      case Does::kKill:
        return {"kill", a.thread};
      case Does::kWake:
        return {"wake", a.thread, 0};
    }
    return {"nothing"};
  }
  // [/kinds]

  std::vector<State> initial() const { return {State{0, -1, false, {{}, {}}}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    int killed = 0;
    for (const Thread& thread : s.threads) killed += thread.killed ? 1 : 0;
    for (int i = 0; i < static_cast<int>(s.threads.size()); ++i) {
      const Thread& thread = s.threads[static_cast<size_t>(i)];
      if (thread.killed || thread.at == 4) continue;
      if (thread.at == 0 && i == 1 && !s.woken) {
        out.push_back({i, Does::kWake});
        continue;
      }
      if (thread.at > 0 || !locked || s.owner < 0) out.push_back({i, static_cast<Does>(thread.at)});
      if (killed < kills) out.push_back({i, Does::kKill});
    }
  }
  std::optional<State> next(const State& s, const Action& a) const {
    State out = s;
    Thread& thread = out.threads[static_cast<size_t>(a.thread)];
    if (a.does == Does::kKill) {
      thread.killed = true;
      return out;
    }
    if (a.does == Does::kWake) {
      out.woken = true;
      return out;
    }
    ++thread.at;
    if (a.does == Does::kLock && locked) out.owner = a.thread;
    if (a.does == Does::kUnlock && locked) out.owner = -1;
    if (a.does == Does::kRead) thread.seen = s.count;
    if (a.does == Does::kWrite) out.count = thread.seen + 1;
    return out;
  }
};

inline Model<Threads> threads(bool locked, int kills = 0) {
  Model<Threads> model(Threads{locked, kills});
  model.add({.name = "all counted", .kind = PropertyKind::kEventually, .word = "leads-to"},
            [](const Threads::State& s) -> Outcome {
              for (const Threads::Thread& thread : s.threads) {
                if (thread.at < 4 && !thread.killed) return true;
              }
              int alive = 0;
              for (const Threads::Thread& thread : s.threads) alive += thread.killed ? 0 : 1;
              if (s.count >= alive) return true;
              return violated("the count is " + std::to_string(s.count));
            });
  return model;
}

}  // namespace ordeal::kinds
