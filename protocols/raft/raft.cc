#include "protocols/raft/raft.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/raft/client.h"
#include "protocols/raft/properties.h"
#include "protocols/raft/server.h"
#include "protocols/raft/steering.h"

namespace ordeal::protocols::raft {
namespace {

struct Sizes {
  int voters = 0;   // servers 1 … voters vote from the start
  int servers = 0;  // and those up to here may join
  int clients = 0;
  int operators = 0;
};

std::set<NodeId> named(const Arguments& args, const std::string& name) {
  if (!has_value(args, name)) return {};
  const std::vector<NodeId> list = args.nodes(name);
  return {list.begin(), list.end()};
}

Result<void> check_members(const Arguments& args, const Sizes& sizes) {
  for (NodeId id : named(args, "add")) {
    if (id > sizes.voters && id <= sizes.servers) continue;
    return Error{fmt::format(
        "--add {}: {}", id.value,
        sizes.voters == sizes.servers
            ? "no server is left to join; say how many are with --spares"
            : fmt::format("servers {} to {} may join", sizes.voters + 1, sizes.servers))};
  }
  for (NodeId id : named(args, "remove")) {
    if (id >= 1 && id <= sizes.voters) continue;
    return Error{fmt::format("--remove {}: servers 1 to {} are members", id.value, sizes.voters)};
  }
  const int left = sizes.voters - static_cast<int>(named(args, "remove").size()) +
                   static_cast<int>(named(args, "add").size());
  if (left < 1) return Error{"--remove: at least one server must stay a member"};
  const int64_t to = args.number("transfer");
  if (to > sizes.servers) {
    return Error{fmt::format("--transfer {}: there are servers 1 to {}", to, sizes.servers)};
  }
  if (args.flag("learners") && args.flag("joint")) {
    return Error{"--learners and --joint: a change is either joint or by learners; choose one"};
  }
  return {};
}

Result<void> check_reads(const Arguments& args) {
  if (args.word("reads-by") != "lease") return {};
  if (args.word("time") == "none") {
    return Error{"--reads-by lease needs clocks: say --time ordered or --time prompt"};
  }
  if (!args.flag("check-quorum")) {
    return Error{
        "--reads-by lease needs --check-quorum: without it, servers vote although they hear a "
        "leader"};
  }
  return {};
}

Setup setup_of(const Arguments& args, const Sizes& sizes) {
  Setup setup;
  for (int id = 1; id <= sizes.voters; ++id) setup.initial.voters.insert(NodeId(id));
  setup.pre_vote = args.flag("pre-vote");
  setup.check_quorum = args.flag("check-quorum");
  setup.joint = args.flag("joint");
  setup.learners = args.flag("learners");
  const std::string& reads = args.word("reads-by");
  setup.reads = reads == "index"   ? Reads::kByIndex
                : reads == "lease" ? Reads::kByLease
                                   : Reads::kByLog;
  setup.snapshot_every = static_cast<uint32_t>(args.number("snapshot-every"));
  setup.batch = static_cast<uint32_t>(args.number("batch"));
  setup.candidates = static_cast<int>(args.number("candidates"));
  setup.last_term = static_cast<Term>(args.number("terms"));
  setup.heartbeats = static_cast<uint32_t>(args.number("heartbeats"));
  setup.questions = static_cast<uint32_t>(args.number("pre-votes"));
  setup.endless = args.flag("endless");
  setup.timed = args.word("time") != "none";
  setup.bug = planted_bugs().asked(args);
  return setup;
}

// The changes that operators ask for: one server each, or all of it in one step.
std::vector<Wish> changes_of(const Arguments& args) {
  const Change all{named(args, "add"), named(args, "remove")};
  std::vector<Wish> wishes;
  if (args.flag("joint") && !(all.add.empty() && all.remove.empty())) {
    wishes.emplace_back(all);
  } else {
    for (NodeId id : all.add) wishes.emplace_back(Change{{id}, {}});
    for (NodeId id : all.remove) wishes.emplace_back(Change{{}, {id}});
  }
  if (args.number("transfer") > 0) {
    wishes.emplace_back(Transfer{NodeId(static_cast<int>(args.number("transfer")))});
  }
  return wishes;
}

Client client_of(const Arguments& args, const Sizes& sizes) {
  Client client;
  client.servers = sizes.servers;
  client.timed = args.word("time") != "none";
  client.patience = static_cast<uint32_t>(args.number("patience"));
  return client;
}

void add_clients(const Arguments& args, const Sizes& sizes, System& system) {
  const Client client = client_of(args, sizes);
  const int writers = number_or(args, "writers", sizes.clients);
  const int64_t writes = args.number("writes");
  const auto reads = static_cast<size_t>(args.number("reads"));
  const auto plan = [=](NodeId id) {
    Client one = client;
    const int position = id - sizes.servers - 1;
    one.first = NodeId(1 + position % sizes.voters);
    for (int64_t i = 0; i < writes && position < writers; ++i) {
      one.plan.emplace_back(Write{static_cast<char>('A' + (position * writes + i) % 26)});
    }
    one.plan.insert(one.plan.end(), reads, Wish(Read{}));
    return one;
  };
  if (sizes.clients > 0) system.add<Client>(sizes.clients, plan);
}

// Each operator does its share of the changes, in order.
void add_operators(const Arguments& args, const Sizes& sizes, System& system) {
  const std::vector<Wish> wishes = changes_of(args);
  if (wishes.empty()) return;
  const Client client = client_of(args, sizes);
  const int before = sizes.servers + sizes.clients;
  system.add<Client>(sizes.operators, [=](NodeId id) {
    Client one = client;
    const int position = id - before - 1;
    one.first = NodeId(1 + position % sizes.voters);
    for (size_t i = static_cast<size_t>(position); i < wishes.size();
         i += static_cast<size_t>(sizes.operators)) {
      one.plan.push_back(wishes[i]);
    }
    return one;
  });
}

Possible possible_of(const Arguments& args, const Sizes& sizes) {
  const bool untimed = args.word("time") == "none";
  const bool several = sizes.voters >= 3 && args.number("candidates") != 1;
  Possible possible;
  possible.endless = args.flag("endless");
  possible.deposing = several && untimed && args.number("terms") != 1;
  possible.changing = untimed && (has_value(args, "add") || has_value(args, "remove"));
  possible.installing = sizes.voters >= 3 && untimed && args.number("snapshot-every") == 1;
  return possible;
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  Sizes sizes;
  sizes.voters = static_cast<int>(args.number("servers"));
  sizes.servers = sizes.voters + static_cast<int>(args.number("spares"));
  sizes.clients = static_cast<int>(args.number("clients"));
  sizes.operators = static_cast<int>(args.number("operators"));
  if (auto checked = check_members(args, sizes); !checked) return checked.error();
  if (auto checked = check_reads(args); !checked) return checked.error();
  Server server;
  server.setup = std::make_shared<const Setup>(setup_of(args, sizes));

  System system;
  system.add<Server>(sizes.servers, [server](NodeId) { return server; });
  add_clients(args, sizes, system);
  add_operators(args, sizes, system);
  apply_time(args, system);
  if (auto applied = apply_environment(args, {1, sizes.servers, "servers"}, system); !applied) {
    return applied.error();
  }
  system.never_chooses(args.word("time") == "none");
  system.crash_at_persist(args.flag("crash-at-persist"));
  add_properties(system, possible_of(args, sizes));
  add_steering(system);
  return built(std::move(system));
}

std::vector<Parameter> parameters() {
  const auto flag = [](const std::string& name, const std::string& what) {
    return Parameter{name, "", what, 0, 0, ParameterKind::kFlag};
  };
  const auto nodes = [](const std::string& name, const std::string& what) {
    return Parameter{name, "", what, 0, 0, ParameterKind::kNodes};
  };
  return {
      {"servers", "3", "how many servers are members from the start", 1, 9},
      {"spares", "0", "how many more there are that may join", 0, 9},
      {"clients", "1", "how many clients", 0, 9},
      {"writers", "", "clients that write, then read; the others only read; all by default", 0, 9},
      {"writes", "1", "writes of each writer", 0, 9},
      {"reads", "0", "reads of each client", 0, 9},
      {"reads-by",
       "log",
       "how reads are answered: as entries of the log, by read index, by lease",
       0,
       0,
       ParameterKind::kWord,
       {"log", "index", "lease"}},
      {"patience", "0", "how often a client asks again, elsewhere", 0, 99},
      {"terms", "1", "nobody stands for election beyond this term; 0: no such bound", 0, 999},
      {"candidates", "2", "servers that stand for election: those up to this id; 0: all", 0, 9},
      {"heartbeats", "0", "that a leader sends at most in its term", 0, 999},
      flag("endless", "heartbeats and pre-votes have no bound: runs go on for ever"),
      {"batch", "0", "entries in a message at most; 0: all", 0, 99},
      {"snapshot-every", "0", "entries after which the log is compacted; 0: never", 0, 99},
      flag("pre-vote", "servers ask whether they would win before they stand"),
      {"pre-votes", "2", "how often a server asks for that at most in a term", 1, 999},
      flag("check-quorum",
           "leaders that do not hear from a quorum step down, and who hears a leader does not "
           "vote"),
      nodes("add", "servers that an operator has join, one after the other"),
      nodes("remove", "servers that an operator has leave, one after the other"),
      flag("joint", "changes of the members go through a joint configuration, all in one"),
      flag("learners", "servers that join do not vote before they have caught up"),
      {"transfer", "0", "whom an operator wants to lead, after the changes; 0: nobody", 0, 18},
      {"operators", "1", "how many share the changes", 1, 9},
      flag("crash-at-persist", "crashes also happen right after a handler has written to disk"),
      time_parameter(),
  };
}

}  // namespace

Subject subject() {
  return {
      .name = "raft",
      .what = "a replicated log behind a register: elections, replication, snapshots, membership",
      .parameters = with_environment(parameters(),
                                     {.detector = "", .recoveries = true, .network = "ordered"}),
      .bugs = planted_bugs().bugs(),
      .build = build,
  };
}

}  // namespace ordeal::protocols::raft
