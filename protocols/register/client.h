// Clients of a replicated register. A writer writes a value of its own, then reads from another
// server; a reader reads twice. Both record what they do in the client history. The servers have
// ids 0 … S−1, the clients S, S+1, …, writers first.
//
// Requests are numbered as in the published state counts, where all clients write: the first
// request of client i is number i, to server i mod S; its second is number 2·i, to the next server.
#pragma once

#include <optional>
#include <utility>

#include "ordeal/history.h"
#include "ordeal/node.h"
#include "ordeal/predicate.h"
#include "ordeal/suite.h"
#include "ordeal/system.h"

namespace ordeal::protocols {

// What a register holds; nothing at first.
using Content = std::optional<char>;

struct Put {
  int request = 0;
  char value = '\0';
};
struct PutOk {
  int request = 0;
};
struct Get {
  int request = 0;
};
struct GetOk {
  int request = 0;
  Content value;
};

struct RegisterSizes {
  int clients = 0;
  int writers = 0;
  int servers = 0;
};

struct Client {
  using Messages = Types<PutOk, GetOk>;

  RegisterSizes sizes;  // the same for all clients, and no part of the state

  std::optional<int> awaiting;  // the request under way
  int done = 0;                 // operations
  ORDEAL_FIELDS(awaiting, done);
  ORDEAL_CONSTANTS(sizes);

  void start(Context& ctx) {
    const int id = ctx.self();
    awaiting = id;
    if (id < sizes.servers + sizes.writers) {
      const char value = static_cast<char>('A' + (id - sizes.servers));
      ctx.invoke(reg::Write<Content>{value});
      ctx.send(id % sizes.servers, Put{id, value});
    } else {
      ctx.invoke(reg::Read{});
      ctx.send(id % sizes.servers, Get{id});
    }
  }

  void on(Context& ctx, const PutOk& ok) {
    if (awaiting != ok.request) return;
    ctx.returns(reg::WriteOk{});
    finish(ctx);
  }

  void on(Context& ctx, const GetOk& ok) {
    if (awaiting != ok.request) return;
    ctx.returns(reg::ReadOk<Content>{ok.value});
    finish(ctx);
  }

 private:
  void finish(Context& ctx) {
    awaiting.reset();
    if (++done == 2) return;
    const int id = ctx.self();
    awaiting = 2 * id;
    ctx.invoke(reg::Read{});
    ctx.send((id + 1) % sizes.servers, Get{2 * id});
  }
};

// The parameters of all subjects of this family: how many clients, writers and servers.
std::vector<Parameter> register_parameters(const std::string& clients, const std::string& servers);

// An Error where there are more writers than clients.
Result<RegisterSizes> register_sizes(const Arguments& args, int clients, int servers);

// Adds the servers, like `server`, then the clients, with the links and the client history of the
// counted form: deliveries that change nothing are no steps.
template <Value Server>
void add_register_nodes(System& system, const RegisterSizes& sizes, Server server) {
  system.first_id(0);
  system.add<Server>(sizes.servers, [server](NodeId) { return server; });
  Client client;
  client.sizes = sizes;
  system.add<Client>(sizes.clients, [client](NodeId) { return client; });
  system.skip_noops();
}

// "linearizable", and that reads do return what was written.
void add_register_properties(System& system);

}  // namespace ordeal::protocols
