#include "protocols/abd_register/abd_register.h"

#include <utility>

#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/planted.h"

namespace ordeal::protocols::abd_register {
namespace {

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kSkipWriteBack,
       {"skip-write-back",
        "a Get returns what it found without having a majority record it",
        "linearizable",
        {.parameters = {{"writers", "1"}, {"servers", "3"}}}}},
      {Planted::kIgnoreSequencer,
       {"ignore-sequencer",
        "a server records what arrives last, not what is newest",
        "linearizable",
        {.parameters = {{"writers", "1"}, {"servers", "3"}}}}},
      {Planted::kSameSequencer,
       {"same-sequencer", "a Put takes the highest number it found, not the next one",
        "linearizable"}},
      {Planted::kQueryNobody,
       {"query-nobody",
        "a server serves from its own copy without asking a majority",
        "linearizable",
        {.parameters = {{"servers", "3"}}}}},
  };
  return all;
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  const Result<RegisterSizes> sizes = register_sizes(args, 2, 2);
  if (!sizes) return sizes.error();
  Server server;
  server.bug = planted_bugs().asked(args);
  System system;
  add_register_nodes(system, *sizes, server);
  const MayCrash may_crash{0, sizes->servers - 1, "servers"};
  if (auto applied = apply_environment(args, may_crash, system); !applied) return applied.error();
  add_register_properties(system);
  return built(std::move(system));
}

}  // namespace

Subject subject() {
  return {
      .name = "abd-register",
      .what = "a register on a majority of servers, linearizable without consensus",
      .parameters = with_environment(register_parameters("2", "2"), {}),
      .bugs = planted_bugs().bugs(),
      .build = build,
  };
}

}  // namespace ordeal::protocols::abd_register
