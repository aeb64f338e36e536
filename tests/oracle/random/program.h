// Nodes whose behaviour is a table: what the generator of random protocols fills in.
//
// A rule says what a node does in a local state when something happens to it. Tables are data, so
// that a random one is a protocol; the nodes below only look up the rule and follow its steps.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "ordeal/history.h"
#include "ordeal/node.h"

namespace ordeal::oracle {

// What can happen to a node. Pings of different content are different things.
enum Trigger : uint8_t {
  kOnStart,
  kOnRecover,
  kOnRequest,
  kOnTimerA,
  kOnTimerB,
  kOnCrashed,
  kOnRestored,
  kOnPing0,
  kOnPing1,
  kOnToken,
  kOnNote,
  kOnTwin,
  kTriggers
};

enum class Do : uint8_t {
  kState,         // a: the new local state
  kRemember,      // the sender becomes `last`, and joins `seen`
  kSend,          // a: to, b: type, c: content
  kReply,         // b: type, c: content
  kBroadcast,     // b: type, c: content
  kBroadcastAll,  // b: type, c: content
  kPost,          // a: to, b: type, c: content
  kSetTimer,      // a: which, b: delay, c: idle
  kCancelTimer,   // a: which
  kPersist,       // a: what
  kDecide,        // a: what, b: as which type
  kInvoke,        // a: 0 read, else write of that, b: as which type
  kReturn,        // a: what a read returns
  kLog,
  kChoose,  // once more, a ways; the answer becomes part of the local state
  kFlip,    // zero changes its sign; a: the new local state if it is negative now
  // What a handler must not do.
  kAssert,
  kThrow,
  kChooseZero,
  kSendNowhere,
  kPersistWrongType,
  kSendUnhandled,
  kSetTimerAnyway,
  kInvokeTwice,
  kReturnNothing,
};

enum MessageType : uint8_t { kPing, kToken, kNote, kTwin };

inline constexpr int kToLast = -100;  // targets that are no ids
inline constexpr int kToSelf = -101;

struct Step {
  Do what = Do::kLog;
  int a = 0;
  int b = 0;
  int c = 0;
};

struct Rule {
  bool costs = false;                       // takes fuel; without fuel it does nothing
  std::vector<std::vector<Step>> branches;  // more than one: choose() picks
};

struct Role {
  uint8_t fuel = 0;
  std::vector<std::vector<Rule>> rules;  // by local state, by trigger
};

struct Program {
  int states = 1;  // local states 0 … states − 1
  std::vector<Role> roles;
};

// The program that all nodes follow. Set before a system is explored; read by many threads.
inline const Program*& active_program() {
  static const Program* program = nullptr;
  return program;
}

struct Ping {
  uint8_t n = 0;
};
struct Token {
  NodeId who;
  uint8_t n = 0;
};
struct Note {
  std::string text;
};
struct Ask {
  uint8_t n = 0;
};
// Types that people know by the name of another, and that differ in nothing else.
namespace twin {
struct Ping {
  uint8_t n = 0;
};
struct Ask {
  uint8_t n = 0;
};
}  // namespace twin
template <class Tag>
struct Sealed {
  uint8_t n = 0;
};
struct Saved {
  uint8_t state = 0;
  uint8_t what = 0;
};

// The state that all table-driven nodes share.
struct Cell {
  uint8_t role = 0;
  uint8_t state = 0;
  uint8_t fuel = 0;
  bool plain = false;  // its type has no disk and no timers
  bool busy = false;   // an operation of this node is pending, as far as it knows
  NodeId last;
  std::vector<NodeId> seen;
  double zero = 0;  // or -0.0, which is another value
};

inline const char* timer_name(int which) { return which == 0 ? "a" : "b"; }

inline void emit(const Cell& cell, Context& ctx, const Step& step, NodeId to, bool post) {
  const auto content = static_cast<uint8_t>(step.c == 2 ? cell.state % 2 : step.c);
  const auto give = [&](auto message) {
    if (step.what == Do::kBroadcast) {
      ctx.broadcast(message);
    } else if (step.what == Do::kBroadcastAll) {
      ctx.broadcast_all(message);
    } else if (post) {
      ctx.post(to, message);
    } else {
      ctx.send(to, message);
    }
  };
  switch (step.b) {
    case kPing:
      return give(Ping{content});
    case kToken:
      return give(Token{content == 0 ? ctx.self() : cell.last, content});
    case kTwin:
      return give(twin::Ping{content});
    default:
      return give(Note{content == 0 ? "no" : "yes"});
  }
}

// What a failed assertion says is the same in whatever form the node is.
inline void must_be_in(int state, int wanted) { ORDEAL_ASSERT(state == wanted); }

inline void follow(Cell& cell, Context& ctx, const Step& step) {
  switch (step.what) {
    case Do::kState:
      cell.state = static_cast<uint8_t>(step.a);
      break;
    case Do::kRemember:
      cell.last = ctx.sender();
      if (cell.seen.size() < 2) cell.seen.push_back(ctx.sender());
      break;
    case Do::kSend:
    case Do::kPost: {
      NodeId to = step.a;
      if (step.a == kToLast) to = cell.last == 0 ? ctx.self() : cell.last;
      if (step.a == kToSelf) to = ctx.self();
      emit(cell, ctx, step, to, step.what == Do::kPost);
      break;
    }
    case Do::kReply:
      emit(cell, ctx, step, ctx.sender(), false);
      break;
    case Do::kBroadcast:
    case Do::kBroadcastAll:
      emit(cell, ctx, step, ctx.self(), false);
      break;
    case Do::kSetTimer:
      if (cell.plain) break;
      ctx.set_timer(timer_name(step.a),
                    {.after = static_cast<uint32_t>(step.b), .idle = step.c != 0});
      break;
    case Do::kCancelTimer:
      ctx.cancel_timer(timer_name(step.a));
      break;
    case Do::kPersist:
      if (!cell.plain) ctx.persist(Saved{cell.state, static_cast<uint8_t>(step.a)});
      break;
    case Do::kDecide: {
      const int what = step.a == 2 ? cell.state : step.a;
      if (step.b == 1) {
        ctx.decide(Sealed<Ping>{static_cast<uint8_t>(what)});
      } else if (step.b == 2) {
        ctx.decide(Sealed<Token>{static_cast<uint8_t>(what)});
      } else {
        ctx.decide(what);
      }
      break;
    }
    case Do::kInvoke:
      if (cell.busy) break;
      cell.busy = true;
      if (step.a == 0) {
        ctx.invoke(reg::Read{});
      } else if (step.b == 0) {
        ctx.invoke(reg::Write<char>{static_cast<char>('a' + step.a)});
      } else {  // which no specification of the generator knows
        ctx.invoke(reg::Write<int8_t>{static_cast<int8_t>('a' + step.a)});
      }
      cell.seen.assign(step.a == 0 ? 1 : 2, ctx.self());  // remembers which, for the return
      break;
    case Do::kReturn:
      if (!cell.busy) break;
      cell.busy = false;
      if (cell.seen.size() == 1) {
        ctx.returns(reg::ReadOk<char>{step.a == 0 ? char{} : static_cast<char>('a' + step.a)});
      } else {
        ctx.returns(reg::WriteOk{});
      }
      break;
    case Do::kLog:
      ctx.log("state " + std::to_string(cell.state));
      break;
    case Do::kChoose:
      cell.state = static_cast<uint8_t>((cell.state + ctx.choose(static_cast<uint32_t>(step.a))) %
                                        static_cast<uint32_t>(active_program()->states));
      break;
    case Do::kFlip:
      cell.zero = -cell.zero;
      if (std::signbit(cell.zero)) cell.state = static_cast<uint8_t>(step.a);
      break;
    case Do::kAssert:
      must_be_in(cell.state, step.a);
      break;
    case Do::kThrow:
      throw std::runtime_error("a handler that throws");
    case Do::kChooseZero:
      ctx.choose(0);
      break;
    case Do::kSendNowhere:
      ctx.send(99, Ping{});
      break;
    case Do::kPersistWrongType:
      ctx.persist(Token{});
      break;
    case Do::kSendUnhandled:
      ctx.send(ctx.self(), Saved{});
      break;
    case Do::kSetTimerAnyway:
      ctx.set_timer("c");
      break;
    case Do::kInvokeTwice:
      ctx.invoke(reg::Read{});
      ctx.invoke(reg::Read{});
      break;
    case Do::kReturnNothing:
      ctx.invoke(reg::Read{});
      ctx.returns(reg::WriteOk{});
      ctx.returns(reg::WriteOk{});
      break;
  }
}

inline void react(Cell& cell, Context& ctx, int trigger) {
  const Rule& rule = active_program()->roles[cell.role].rules[cell.state][trigger];
  if (rule.branches.empty() || (rule.costs && cell.fuel == 0)) return;
  if (rule.costs) --cell.fuel;
  const size_t ways = rule.branches.size();
  const size_t way = ways == 1 ? 0 : ctx.choose(static_cast<uint32_t>(ways));
  for (const Step& step : rule.branches[way]) follow(cell, ctx, step);
}

// Has every handler there is.
struct Full {
  using Messages = Types<Ping, Token, Note, twin::Ping>;
  using Requests = Types<Ask, twin::Ask>;
  using Disk = Saved;

  Cell cell;

  void start(Context& ctx) { react(cell, ctx, kOnStart); }
  void on(Context& ctx, NodeId, const Ping& m) { react(cell, ctx, m.n == 0 ? kOnPing0 : kOnPing1); }
  void on(Context& ctx, NodeId, const Token& m) {
    if (m.n != 0) cell.last = m.who;
    react(cell, ctx, kOnToken);
  }
  void on(Context& ctx, const Note&) { react(cell, ctx, kOnNote); }
  void on(Context& ctx, NodeId, const twin::Ping&) { react(cell, ctx, kOnTwin); }
  void request(Context& ctx, const Ask& ask) {
    if (ask.n < active_program()->states) cell.state = ask.n;
    react(cell, ctx, kOnRequest);
  }
  void request(Context& ctx, const twin::Ask&) { react(cell, ctx, kOnTwin); }
  void timer(Context& ctx, const std::string& name) {
    react(cell, ctx, name == "a" ? kOnTimerA : kOnTimerB);
  }
  void crashed(Context& ctx, NodeId who) {
    cell.last = who;
    react(cell, ctx, kOnCrashed);
  }
  void restored(Context& ctx, NodeId) { react(cell, ctx, kOnRestored); }
  void recover(Context& ctx, const Saved& disk) {
    if (disk.what != 0) cell.state = disk.state;
    react(cell, ctx, kOnRecover);
  }
};

// Is told of crashes but not of mistakes; has no disk, and recovers by starting again.
struct Plain {
  using Messages = Types<Ping, Token>;

  Cell cell;

  void start(Context& ctx) { react(cell, ctx, kOnStart); }
  void on(Context& ctx, NodeId, const Ping& m) { react(cell, ctx, m.n == 0 ? kOnPing0 : kOnPing1); }
  void on(Context& ctx, NodeId, const Token&) { react(cell, ctx, kOnToken); }
  void crashed(Context& ctx, NodeId) { react(cell, ctx, kOnCrashed); }
};

// Is told of nothing; has a disk that it never reads.
struct Deaf {
  using Messages = Types<Ping, Token>;
  using Requests = Types<Ask>;
  using Disk = Saved;

  Cell cell;

  void on(Context& ctx, NodeId, const Ping& m) { react(cell, ctx, m.n == 0 ? kOnPing0 : kOnPing1); }
  void on(Context& ctx, NodeId, const Token&) { react(cell, ctx, kOnToken); }
  void request(Context& ctx, const Ask&) { react(cell, ctx, kOnRequest); }
  void timer(Context& ctx, const std::string& name) {
    react(cell, ctx, name == "a" ? kOnTimerA : kOnTimerB);
  }
};

// A mocked component. Only a note makes it choose: it may not while a node calls it.
struct Part {
  using Messages = Types<Ping, Token, Note>;

  Cell cell;

  void start(Context& ctx) { react(cell, ctx, kOnStart); }
  void on(Context& ctx, NodeId, const Ping& m) { react(cell, ctx, m.n == 0 ? kOnPing0 : kOnPing1); }
  void on(Context& ctx, NodeId, const Token&) { react(cell, ctx, kOnToken); }
  void on(Context& ctx, NodeId, const Note&) { react(cell, ctx, kOnNote); }
  void timer(Context& ctx, const std::string& name) {
    react(cell, ctx, name == "a" ? kOnTimerA : kOnTimerB);
  }
};

// The same as opaque objects that say by themselves what tells their states apart.
template <class T>
struct Digested : T {
  uint64_t digest() const { return value::hash(this->cell); }
};

}  // namespace ordeal::oracle
