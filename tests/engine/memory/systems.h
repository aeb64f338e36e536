// Systems of which one thing takes nearly all memory, each another.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/ordeal.h"

namespace ordeal::memory {

// A node that answers a question at every tick of its timer and remembers all answers: a tree of
// states, each another. `Kept` says how it remembers.
template <class Kept>
struct Ticker {
  using Messages = Types<>;
  Kept kept;
  uint32_t ticks = 0;
  uint32_t most = 0;
  uint32_t answers = 2;

  void start(Context& ctx) { ctx.set_timer("tick"); }
  void timer(Context& ctx, const std::string&) {
    kept.add(ctx.choose(answers), ticks);
    if (++ticks < most) ctx.set_timer("tick");
  }
};

struct Lists {
  std::vector<uint64_t> words = std::vector<uint64_t>(40);
  void add(uint32_t answer, uint32_t tick) { words.push_back(answer + 10 * tick); }
};

struct Trees {
  std::map<uint32_t, std::string> names;
  std::optional<std::vector<bool>> bits;
  void add(uint32_t answer, uint32_t tick) {
    if (!bits) bits.emplace(500);
    names[tick] = "an answer that is longer than a short one: " + std::to_string(answer);
  }
};

struct Number {
  uint64_t number = 1;
  void add(uint32_t answer, uint32_t) { number = number * 4 + answer; }
};

template <class Kept>
System tickers(int nodes, uint32_t most, uint32_t answers) {
  System system;
  system.add<Ticker<Kept>>(nodes, [=](NodeId) { return Ticker<Kept>{{}, 0, most, answers}; });
  return system;
}

// Two nodes with many states each: what is remembered of pairs outweighs the states.
inline System pairs_of_states(uint32_t most, uint32_t answers) {
  System system = tickers<Number>(2, most, answers);
  using Node = Ticker<Number>;
  for (const char* name : {"one", "two", "three"}) {
    system.always(name, pairs<Node>([](const Node& a, const Node& b) {
                    return a.kept.number + b.kept.number > 0;
                  }));
  }
  return system;
}

// Messages that carry much, and of which each handler sends many.
struct Parcel {
  std::vector<uint32_t> content;
  uint32_t number = 0;
};
struct Porter {
  using Messages = Types<Parcel>;
  uint64_t seen = 0;
  void start(Context& ctx) {
    if (ctx.self() != 1) return;
    for (uint32_t i = 0; i < 12; ++i) ctx.send(2, Parcel{{i, i}, i});
  }
  void on(Context& ctx, NodeId, const Parcel& parcel) {
    seen = seen * 13 + parcel.number + 1;
    if (ctx.self() == 2) ctx.send(1, Parcel{std::vector<uint32_t>(200, uint32_t(seen)), 20});
  }
};
inline System parcels() {
  System system;
  system.add<Porter>(2);
  return system;
}

// Clients that write what they like: histories, most of all.
struct Caller {
  using Messages = Types<>;
  uint32_t calls = 0;
  uint32_t most = 0;
  void start(Context& ctx) { ctx.set_timer("call"); }
  void timer(Context& ctx, const std::string& name) {
    if (name == "call") {
      ctx.invoke(reg::Write<int>{int(ctx.choose(3))});
      ctx.set_timer("return");
      return;
    }
    ctx.returns(reg::WriteOk{});
    if (++calls < most) ctx.set_timer("call");
  }
};
inline System callers(int clients, uint32_t most) {
  System system;
  system.add<Caller>(clients, [=](NodeId) { return Caller{0, most}; });
  system.always("linearizable", linearizable<RegisterSpec<int>>());
  return system;
}

// Few states of a node, many messages that it can get in each: what is remembered of handlers.
struct Word {
  uint32_t number = 0;
};
struct Reader {
  using Messages = Types<Word>;
  uint32_t state = 0;
  uint32_t states = 0;
  uint32_t words = 0;
  void start(Context& ctx) {
    if (ctx.self() != 1) return;
    for (uint32_t i = 0; i < words; ++i) ctx.send(2, Word{i});
  }
  void on(Context&, NodeId, const Word& word) { state = (state * 7 + word.number + 1) % states; }
};
inline System readers(uint32_t states, uint32_t words) {
  System system;
  system.network(Network::kSet);
  system.add<Reader>(2, [=](NodeId) { return Reader{0, states, words}; });
  return system;
}

// A raw model whose states are serialised, and large.
struct Piles {
  struct State {
    std::vector<uint32_t> piles;
    std::vector<uint32_t> rest = std::vector<uint32_t>(300);
  };
  using Action = uint32_t;
  uint32_t count = 8;
  uint32_t most = 5;
  std::vector<State> initial() const { return {{std::vector<uint32_t>(count)}}; }
  void actions(const State&, std::vector<Action>& out) const {
    for (uint32_t i = 0; i < count; ++i) out.push_back(i);
  }
  std::optional<State> next(const State& state, Action pile) const {
    if (state.piles[pile] == most) return std::nullopt;
    State out = state;
    ++out.piles[pile];
    return out;
  }
};
inline Model<Piles> piles(uint32_t count, uint32_t most) {
  Piles model;
  model.count = count;
  model.most = most;
  return Model<Piles>(model);
}

}  // namespace ordeal::memory
