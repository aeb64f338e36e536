// An election, a vote that arrives a term too late, and the scenario that makes it late every time.
#include <ordeal/ordeal.h>

#include <cstdio>
#include <cstdlib>
#include <set>

namespace {

using ordeal::Context;
using ordeal::NodeId;

struct Campaign {};
struct AskVote {
  int term = 0;
};
struct Vote {
  int term = 0;
};

// [server]
struct Server {
  using Requests = ordeal::Types<Campaign>;
  using Messages = ordeal::Types<AskVote, Vote>;

  bool checks_terms = true;  // no part of the state
  int term = 0;
  std::set<NodeId> votes;
  ORDEAL_FIELDS(term, votes);
  ORDEAL_CONSTANTS(checks_terms);

  void request(Context& ctx, const Campaign&) {
    ++term;
    votes = {ctx.self()};
    ctx.broadcast(AskVote{term});
  }
  void on(Context& ctx, NodeId, const AskVote& ask) {
    if (ask.term <= term) return;
    term = ask.term;
    ctx.reply(Vote{term});
  }
  void on(Context& ctx, NodeId from, const Vote& vote) {
    if (checks_terms && vote.term != term) return;
    if (!votes.insert(from).second) return;
    if (static_cast<int>(votes.size()) == ctx.majority()) ctx.decide(term);  // leads in this term
  }
};
// [/server]

ordeal::System election(bool checks_terms) {
  ordeal::System system;
  system.add<Server>(3, [checks_terms](NodeId) {
    Server server;
    server.checks_terms = checks_terms;
    return server;
  });
  system.request(1, Campaign{}).request(1, Campaign{});
  return system;
}

// [scenario]
// Node 1 asks for votes and gives up: the votes are held back. Only when it campaigns once more do
// they arrive, and those of the new term are lost.
ordeal::Scenario late_vote() {
  using namespace ordeal;
  const auto in_term = [](int term, Where where = Where::current()) {
    return is_send(where) &&
           is_message<Vote>([term](const Vote& v) { return v.term == term; }, where);
  };
  Scenario scenario("late vote");
  scenario.what("a vote counts in the term that it was given in")
      .filter(when(in_term(1)).then(hold("votes of term 1"), count("late")))
      .filter(when(in_term(2)).then(drop()))
      .filter(when(is_event(EventKind::kRequest) && counter("late") == 2)
                  .then(release("votes of term 1")))
      .machine(Machine("no leader")
                   .on("no leader", decides(), Machine::kFailure)
                   .on("no leader", ended(), Machine::kSuccess));
  return scenario;
}
// [/scenario]

// No message comes from two nodes.
ordeal::Scenario mistake() {
  using namespace ordeal;
  Scenario scenario("mistake");
  scenario.filter(when(is_send() && is_message<Vote>() && from(2) && from(3)).then(drop()));
  return scenario;
}

// [run]
bool holds_in_every_run(const ordeal::Scenario& scenario, const ordeal::System& system) {
  ordeal::Options options;
  options.strategy = "bfs";
  const ordeal::Result<ordeal::ScenarioReport> report = ordeal::run(scenario, system, options);
  if (report) return report->verdict == ordeal::Verdict::kHolds;
  std::puts(report.error().message.c_str());
  std::exit(3);
}
// [/run]

}  // namespace

int main(int argc, char**) {
  const ordeal::Scenario scenario = argc > 1 ? mistake() : late_vote();
  for (const bool checks_terms : {true, false}) {
    const bool holds = holds_in_every_run(scenario, election(checks_terms));
    std::printf("votes are %s: %s\n", checks_terms ? "checked for their term" : "just counted",
                holds ? "nobody leads by a late vote, in any run" : "a late vote makes a leader");
  }
  return 0;
}
