// A lock server around an existing C library: an object with malloc and pointers inside, which
// cannot be copied or compared. Ordeal runs it as it is.
#include <ordeal/ordeal.h>

#include <memory>
#include <string>

#include "lock_table.h"

namespace {

using ordeal::Context;
using ordeal::NodeId;

struct Acquire {};
struct Granted {};
struct Release {};

// [adapter]
class LockServer {
 public:
  using Messages = ordeal::Types<Acquire, Release>;

  explicit LockServer(int capacity) : table_(lock_table_new(capacity)) {}
  ~LockServer() { lock_table_free(table_); }
  LockServer(const LockServer&) = delete;
  LockServer& operator=(const LockServer&) = delete;

  void on(Context& ctx, NodeId from, const Acquire&) {
    if (lock_table_acquire(table_, from) != 0) ctx.send(from, Granted{});
  }
  void on(Context& ctx, NodeId, const Release&) {
    if (const int next = lock_table_release(table_); next != 0) ctx.send(next, Granted{});
  }

  // Optional: what traces show of this node, and how runs are told apart.
  std::string show() const { return "holder " + std::to_string(lock_table_holder(table_)); }

 private:
  lock_table* table_;
};
// [/adapter]

struct Client {
  using Messages = ordeal::Types<Granted>;

  bool holds = false;
  bool done = false;

  void start(Context& ctx) { ctx.send(1, Acquire{}); }
  void on(Context& ctx, NodeId, const Granted&) {
    holds = true;
    ctx.set_timer("work");
  }
  void timer(Context& ctx, const std::string&) {
    holds = false;
    done = true;
    ctx.send(1, Release{});
  }
};

ordeal::System lock_service(int clients, int capacity) {
  ordeal::System system;
  // [system]
  system.add_opaque<LockServer>(1, [=](NodeId) { return std::make_unique<LockServer>(capacity); });
  system.add<Client>(clients);
  // [/system]
  system.always("one holder", ordeal::pairs<Client>([](const Client& a, const Client& b) {
                  return !(a.holds && b.holds);
                }));
  system.eventually("all are served", ordeal::each<Client>([](const Client& c) { return c.done; }));
  return system;
}

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "lock-service",
             .what = "clients of a lock server that is a C library",
             .parameters = {{"clients", "2", "how many clients", 1, 9},
                            {"capacity", "1", "how many clients the library lets wait", 1, 9}},
             .build = [](const ordeal::Arguments& args) {
               return lock_service(args.number<int>("clients"), args.number<int>("capacity"));
             }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
