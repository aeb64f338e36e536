// A client deposits money at a bank and asks again if no answer comes. The bank must count the
// deposit once, and must not forget it once it has said so.
#include <ordeal/ordeal.h>

#include <set>
#include <string>

namespace {

using ordeal::Context;
using ordeal::NodeId;
using ordeal::View;

constexpr NodeId kClient = 1;
constexpr NodeId kBank = 2;

// [client]
struct Deposit {
  int id;
  int amount;
};
struct Ack {
  int id;
};

struct Client {
  using Messages = ordeal::Types<Ack>;

  int retries = 1;
  bool acknowledged = false;

  void start(Context& ctx) { ask(ctx); }
  void timer(Context& ctx, const std::string&) {
    --retries;
    ask(ctx);
  }
  void on(Context& ctx, NodeId, const Ack&) {
    acknowledged = true;
    ctx.cancel_timer("retry");
  }
  void ask(Context& ctx) {
    ctx.send(kBank, Deposit{1, 100});
    if (retries > 0) ctx.set_timer("retry");
  }
};
// [/client]

enum class Planted { kNone, kCountAll, kVolatile, kTwoWrites };

// [bank]
struct Ledger {
  int balance = 0;
  std::set<int> seen;  // deposits that are in the balance
};

struct Bank {
  using Messages = ordeal::Types<Deposit>;
  using Disk = Ledger;

  Ledger ledger;
  Planted bug = Planted::kNone;

  void on(Context& ctx, NodeId, const Deposit& deposit) {
    if (!ledger.seen.contains(deposit.id) || bug == Planted::kCountAll) {
      ledger.balance += deposit.amount;
      if (bug == Planted::kTwoWrites) ctx.persist(ledger);  // planted: the balance before `seen`
      ledger.seen.insert(deposit.id);
      if (bug != Planted::kVolatile) ctx.persist(ledger);
    }
    ctx.reply(Ack{deposit.id});
  }
  void recover(Context&, const Ledger& disk) { ledger = disk; }
};
// [/bank]

// What the bank has, or will have when it comes back.
int balance(const View& view) {
  if (view.up(kBank)) return view.node<Bank>(kBank).ledger.balance;
  const Ledger* disk = view.disk<Ledger>(kBank);
  return disk == nullptr ? 0 : disk->balance;
}

// [system]
ordeal::System deposits(const ordeal::Arguments& args) {
  Bank bank;
  if (args.bug("count-all")) bank.bug = Planted::kCountAll;
  if (args.bug("volatile")) bank.bug = Planted::kVolatile;
  if (args.bug("two-writes")) bank.bug = Planted::kTwoWrites;

  ordeal::System system;
  system.add<Client>();
  system.add<Bank>(1, [bank](NodeId) { return bank; });
  system.drops(args.number<uint32_t>("drops"))
      .duplicates(args.number<uint32_t>("duplicates"))
      .partitions(args.number<uint32_t>("partitions"));
  const int crashes = args.number<int>("crashes");
  if (crashes > 0) {
    system.crash({kBank}, crashes)
        .recoveries(args.number<uint32_t>("crashes"))
        .crash_at_persist(args.flag("crash-at-persist"));
  }
  system.always("counted once", [](const View& view) { return balance(view) <= 100; });
  system.always("what was acknowledged is kept", [](const View& view) {
    return !view.node<Client>(kClient).acknowledged || balance(view) == 100;
  });
  system.sometimes("acknowledged",
                   [](const View& view) { return view.node<Client>(kClient).acknowledged; });
  return system;
}
// [/system]

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add(
      {.name = "deposits",
       .what = "a client deposits once, and asks again if no answer comes",
       .parameters = {{"drops", "0", "messages that may be lost", 0, 9},
                      {"duplicates", "0", "messages that may arrive twice", 0, 9},
                      {"partitions", "0", "how often the network may split", 0, 9},
                      {"crashes", "0", "how often the bank may crash and come back", 0, 9},
                      {"crash-at-persist", "no", "a crash may fall between two writes to disk", 0,
                       0, ordeal::ParameterKind::kFlag}},
       .bugs = {{"count-all", "a deposit that arrives again is counted again", "counted once"},
                {"volatile", "the ledger is not written to disk", "what was acknowledged is kept"},
                {"two-writes", "the balance is written before the list of what is in it",
                 "counted once"}},
       .build = [](const ordeal::Arguments& args) { return deposits(args); }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
