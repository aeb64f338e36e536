// A register replicated over servers of which a minority may crash: Attiya, Bar-Noy and Dolev,
// "Sharing Memory Robustly in Message-Passing Systems".
//
// Whoever serves a client asks a majority for its newest value (phase 1) and has a majority record
// the value before it answers (phase 2): for a Put the new value under a higher sequencer, for a
// Get the value that it is about to return, so that no later Get returns an older one.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ordeal/node.h"
#include "ordeal/suite.h"
#include "protocols/register/client.h"

namespace ordeal::protocols::abd_register {

enum class Planted : uint8_t {
  kNone,
  kSkipWriteBack,
  kIgnoreSequencer,
  kSameSequencer,
  kQueryNobody,
};

struct Sequencer {
  int number = 0;
  NodeId server;
  friend auto operator<=>(const Sequencer& a, const Sequencer& b) = default;
};

struct Stamped {
  Sequencer sequencer;
  Content value;
};

struct Query {
  int request = 0;
};
struct AckQuery {
  int request = 0;
  Stamped held;
};
struct Record {
  int request = 0;
  Stamped held;
};
struct AckRecord {
  int request = 0;
};

// The operation that a server is serving.
struct Operation {
  int request = 0;
  NodeId client;
  std::optional<char> write;          // a Put; else a Get
  bool recording = false;             // phase 2
  std::map<NodeId, Stamped> answers;  // phase 1
  Content read;                       // phase 2 of a Get: what it will return
  std::set<NodeId> recorded;          // phase 2
};

struct Server {
  using Messages = Types<Put, Get, Query, AckQuery, Record, AckRecord>;

  Planted bug = Planted::kNone;  // the same for all servers, and no part of the state

  Stamped held;
  std::optional<Operation> operation;
  ORDEAL_FIELDS(held, operation);
  ORDEAL_CONSTANTS(bug);

  void start(Context& ctx) { held.sequencer = {0, ctx.self()}; }

  void on(Context& ctx, NodeId from, const Put& put) { serve(ctx, from, put.request, put.value); }
  void on(Context& ctx, NodeId from, const Get& get) {
    serve(ctx, from, get.request, std::nullopt);
  }

  void on(Context& ctx, const Query& query) { ctx.reply(AckQuery{query.request, held}); }

  void on(Context& ctx, NodeId from, const AckQuery& ack) {
    if (!operation || operation->recording || operation->request != ack.request) return;
    operation->answers[from] = ack.held;
    if (static_cast<int>(operation->answers.size()) == ctx.majority()) record(ctx);
  }

  void on(Context& ctx, const Record& record) {
    adopt(record.held);
    ctx.reply(AckRecord{record.request});
  }

  void on(Context& ctx, NodeId from, const AckRecord& ack) {
    if (!operation || !operation->recording || operation->request != ack.request) return;
    if (!operation->recorded.insert(from).second) return;
    if (static_cast<int>(operation->recorded.size()) == ctx.majority()) answer(ctx);
  }

 private:
  void serve(Context& ctx, NodeId client, int request, std::optional<char> write) {
    if (operation) return;
    Operation next;
    next.request = request;
    next.client = client;
    next.write = write;
    next.answers[ctx.self()] = held;
    operation = std::move(next);
    // Planted: a server that trusts its own copy asks nobody for a newer one.
    if (ctx.majority() == 1 || bug == Planted::kQueryNobody) {
      record(ctx);
    } else {
      ctx.broadcast(Query{request});
    }
  }

  void record(Context& ctx) {
    Stamped newest = operation->answers.begin()->second;
    for (const auto& [server, answer] : operation->answers) {
      if (answer.sequencer > newest.sequencer) newest = answer;
    }
    operation->answers.clear();
    if (operation->write) {
      // Planted: the number is not raised; among equals, the server with the higher id wins.
      const int step = bug == Planted::kSameSequencer ? 0 : 1;
      newest = {{newest.sequencer.number + step, ctx.self()}, *operation->write};
    } else {
      operation->read = newest.value;
      // Planted: the value that this Get returns may be held by this server alone.
      if (bug == Planted::kSkipWriteBack) return answer(ctx);
    }
    operation->recording = true;
    operation->recorded.insert(ctx.self());
    adopt(newest);
    if (ctx.majority() == 1) return answer(ctx);
    ctx.broadcast(Record{operation->request, newest});
  }

  void adopt(const Stamped& other) {
    // Planted: what was recorded last counts, however old it is.
    if (other.sequencer > held.sequencer || bug == Planted::kIgnoreSequencer) held = other;
  }

  void answer(Context& ctx) {
    if (operation->write) {
      ctx.send(operation->client, PutOk{operation->request});
    } else {
      ctx.send(operation->client, GetOk{operation->request, operation->read});
    }
    operation.reset();
  }
};

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::abd_register
