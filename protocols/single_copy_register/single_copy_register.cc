#include "protocols/single_copy_register/single_copy_register.h"

#include <utility>

#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/planted.h"

namespace ordeal::protocols::single_copy_register {
namespace {

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kStaleGet,
       {"stale-get", "a Get is answered with the value before the last Put", "linearizable"}},
  };
  return all;
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  const Result<RegisterSizes> sizes = register_sizes(args, 2, 1);
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
      .name = "single-copy-register",
      .what = "a register on one server; with more servers each has a copy, and clients can tell",
      .parameters = with_environment(register_parameters("2", "1"), {}),
      .bugs = planted_bugs().bugs(),
      .build = build,
  };
}

}  // namespace ordeal::protocols::single_copy_register
