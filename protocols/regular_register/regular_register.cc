#include "protocols/regular_register/regular_register.h"

#include <string>
#include <utility>

#include "ordeal/predicate.h"
#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/planted.h"
#include "protocols/regular_register/regularity.h"

namespace ordeal::protocols::regular_register {
namespace {

constexpr int kWriter = 1;

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kMinorityRead,
       {"minority-read", "a read is content with one answer less than a majority", "regular"}},
      {Planted::kNoTimestampCheck,
       {"no-timestamp-check",
        "a node keeps the value that arrives last, not the newest",
        "regular",
        {.parameters = {{"writes", "2"}, {"reads", "1"}}}}},
      {Planted::kCountAcks,
       {"count-acks",
        "acknowledgements are counted, also those that arrive twice",
        "regular",
        {.parameters = {{"duplicates", "1"}}}}},
  };
  return all;
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  const int nodes = static_cast<int>(args.number("nodes"));
  System system;
  Node node;
  node.bug = planted_bugs().asked(args);
  system.add<Node>(nodes, [node](NodeId) { return node; });
  for (int value = 1; value <= args.number("writes"); ++value) {
    system.request(kWriter, StartWrite{value});
  }
  for (int i = 0; i < args.number("reads"); ++i) {
    const int reader = nodes == 1 ? kWriter : i % (nodes - 1) + 2;
    system.request(reader, StartRead{});
  }
  if (auto applied = apply_environment(args, {1, nodes}, system); !applied) {
    return applied.error();
  }

  if (nodes > 1) declare_alike(args, 2, nodes, system);

  system.always("regular", Predicate::OverHistory{
                               [](const History& history) { return regular(history, kWriter); }});
  const bool minority = crash_budget(args) <= (nodes - 1) / 2;
  if (minority && links_are_reliable(args)) {
    system.eventually("operations return", each_correct<Node>([](const Node& n) -> Outcome {
                        if (n.doing == Node::Doing::kNothing) return true;
                        if (n.doing == Node::Doing::kReading) {
                          return violated("read " + std::to_string(n.read) + " never returned");
                        }
                        return violated("write " + std::to_string(n.timestamp) + " never returned");
                      }));
  }
  return built(std::move(system));
}

}  // namespace

Subject subject() {
  return {
      .name = "regular-register",
      .what = "node 1 writes to a majority, the others read from a majority",
      .parameters =
          with_environment({{"nodes", "3", "how many nodes", 1, 9},
                            {"writes", "1", "how many writes, by node 1", 0, 99},
                            {"reads", "2", "how many reads, by node 2, 3, … in turn", 0, 99}},
                           {}),
      .bugs = planted_bugs().bugs(),
      .build = build,
  };
}

}  // namespace ordeal::protocols::regular_register
