// Majority voting regular register: algorithm 4.2 of Cachin, Guerraoui and Rodrigues, "Introduction
// to Reliable and Secure Distributed Programming". A (1, N) register: node 1 writes, all may read.
//
// A write is done when a majority has it, a read when a majority has answered; the newest answer
// counts. A read that overlaps a write may return the old or the new value, and a later one the
// older: regular, not atomic. A minority may crash; no failure detector is asked.
//
// Acknowledgements are kept as a set of nodes, not as a number as in the book, so that a message
// that arrives twice does no harm.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ordeal/history.h"
#include "ordeal/node.h"
#include "ordeal/suite.h"

namespace ordeal::protocols::regular_register {

enum class Planted : uint8_t { kNone, kMinorityRead, kNoTimestampCheck, kCountAcks };

// Requests.
struct StartWrite {
  int value = 0;
};
struct StartRead {};

struct Stamped {
  int timestamp = 0;
  int value = 0;
};

struct Write {
  int timestamp = 0;
  int value = 0;
};
struct Ack {
  int timestamp = 0;
};
struct Read {
  int read = 0;  // the reader's reads are numbered
};
struct Answer {
  int read = 0;
  int timestamp = 0;
  int value = 0;
};

struct Node {
  using Requests = Types<StartWrite, StartRead>;
  using Messages = Types<Write, Ack, Read, Answer>;

  enum class Doing : uint8_t { kNothing, kWriting, kReading };

  Planted bug = Planted::kNone;  // the same for all nodes, and no part of the state

  Stamped held;
  // The operation under way, if any, and those that wait: a value to write, or none for a read.
  Doing doing = Doing::kNothing;
  std::deque<std::optional<int>> waiting;
  // The writer.
  int timestamp = 0;
  std::multiset<NodeId> acks;  // in the correct form, a set
  // A reader.
  int read = 0;
  std::map<NodeId, Stamped> answers;
  ORDEAL_FIELDS(held, doing, waiting, timestamp, acks, read, answers);
  ORDEAL_CONSTANTS(bug);

  void request(Context& ctx, const StartWrite& write) { start_or_wait(ctx, write.value); }
  void request(Context& ctx, const StartRead&) { start_or_wait(ctx, std::nullopt); }

  void on(Context& ctx, const Write& write) {
    // Planted: the value that arrives last is kept, however old it is.
    const bool newer = write.timestamp > held.timestamp;
    if (newer || bug == Planted::kNoTimestampCheck) held = {write.timestamp, write.value};
    ctx.reply(Ack{write.timestamp});
  }

  void on(Context& ctx, NodeId from, const Ack& ack) {
    if (doing != Doing::kWriting || ack.timestamp != timestamp) return;
    // Planted: acknowledgements are counted, whoever they are from.
    if (acks.count(from) == 0 || bug == Planted::kCountAcks) acks.insert(from);
    if (static_cast<int>(acks.size()) < ctx.majority()) return;
    acks.clear();
    ctx.returns(reg::WriteOk{});
    finish(ctx);
  }

  void on(Context& ctx, const Read& read) {
    ctx.reply(Answer{read.read, held.timestamp, held.value});
  }

  void on(Context& ctx, NodeId from, const Answer& answer) {
    if (doing != Doing::kReading || answer.read != read) return;
    answers[from] = {answer.timestamp, answer.value};
    // Planted: half of the nodes are enough for a read.
    const int quorum = ctx.majority() - (bug == Planted::kMinorityRead ? 1 : 0);
    if (static_cast<int>(answers.size()) < quorum) return;
    Stamped newest;
    for (const auto& [node, stamped] : answers) {
      if (stamped.timestamp > newest.timestamp) newest = stamped;
    }
    answers.clear();
    ctx.returns(reg::ReadOk<int>{newest.value});
    finish(ctx);
  }

 private:
  void start_or_wait(Context& ctx, std::optional<int> write) {
    if (doing != Doing::kNothing) {
      waiting.push_back(write);
    } else {
      begin(ctx, write);
    }
  }

  void begin(Context& ctx, std::optional<int> write) {
    doing = write ? Doing::kWriting : Doing::kReading;
    if (write) {
      ctx.invoke(reg::Write<int>{*write});
      ctx.broadcast_all(Write{++timestamp, *write});
    } else {
      ctx.invoke(reg::Read{});
      ctx.broadcast_all(Read{++read});
    }
  }

  void finish(Context& ctx) {
    doing = Doing::kNothing;
    if (waiting.empty()) return;
    const std::optional<int> next = waiting.front();
    waiting.pop_front();
    begin(ctx, next);
  }
};

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::regular_register
