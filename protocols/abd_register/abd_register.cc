#include "protocols/abd_register/abd_register.h"

#include <utility>

#include "ordeal/system.h"
#include "protocols/common.h"

namespace ordeal::protocols::abd_register {
namespace {

Planted planted(const Arguments& args) {
  if (args.bug("skip-write-back")) return Planted::kSkipWriteBack;
  if (args.bug("ignore-sequencer")) return Planted::kIgnoreSequencer;
  if (args.bug("query-nobody")) return Planted::kQueryNobody;
  if (args.bug("same-sequencer")) return Planted::kSameSequencer;
  return Planted::kNone;
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  const Result<RegisterSizes> sizes = register_sizes(args, 2, 2);
  if (!sizes) return sizes.error();
  Server server;
  server.bug = planted(args);
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
      .bugs = {{"skip-write-back",
                "a Get returns what it found without having a majority record it",
                "linearizable",
                {.parameters = {{"writers", "1"}, {"servers", "3"}}}},
               {"ignore-sequencer",
                "a server records what arrives last, not what is newest",
                "linearizable",
                {.parameters = {{"writers", "1"}, {"servers", "3"}}}},
               {"same-sequencer", "a Put takes the highest number it found, not the next one",
                "linearizable"},
               {"query-nobody",
                "a server serves from its own copy without asking a majority",
                "linearizable",
                {.parameters = {{"servers", "3"}}}}},
      .build = build,
  };
}

}  // namespace ordeal::protocols::abd_register
