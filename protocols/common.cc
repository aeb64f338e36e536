#include "protocols/common.h"

#include <algorithm>
#include <utility>

namespace ordeal::protocols {
namespace {

bool declares(const Arguments& args, const std::string& name) {
  return args.values.find(name) != args.values.end();
}

Network network_of(const std::string& word) {
  if (word == "set") return Network::kSet;
  if (word == "ordered") return Network::kOrdered;
  return Network::kBag;
}

Detector detector_of(const std::string& word) {
  if (word == "perfect") return Detector::kPerfect;
  if (word == "eventually-perfect") return Detector::kEventuallyPerfect;
  return Detector::kNone;
}

}  // namespace

std::vector<Parameter> with_environment(std::vector<Parameter> own,
                                        const Environment& environment) {
  std::vector<Parameter> all = std::move(own);
  all.push_back({"crash", "", "nodes that may crash, such as 1,2", 0, 0, ParameterKind::kNodes});
  all.push_back(
      {"max-crashes", "", "crashes in a run; as many as --crash names by default", 0, 99});
  if (environment.recoveries) {
    all.push_back({"recoveries", "0", "how often a crashed node may come back in a run", 0, 99});
  }
  if (!environment.detector.empty()) {
    all.push_back({"detector",
                   environment.detector,
                   "the failure detector",
                   0,
                   0,
                   ParameterKind::kWord,
                   {"none", "perfect", "eventually-perfect"}});
  }
  all.push_back({"network",
                 environment.network,
                 "bag (any order), set (… and any number of times) or ordered",
                 0,
                 0,
                 ParameterKind::kWord,
                 {"bag", "set", "ordered"}});
  all.push_back({"drops", "0", "messages that may be lost in a run", 0, 99});
  all.push_back({"duplicates", "0", "messages that may arrive once more in a run", 0, 99});
  all.push_back({"partitions", "0", "how often the network may split in two in a run", 0, 99});
  return all;
}

Parameter time_parameter() {
  return {"time",
          "none",
          "timers fire whenever they like, in order of their deadlines, or so and only where "
          "nothing can be delivered",
          0,
          0,
          ParameterKind::kWord,
          {"none", "ordered", "prompt"}};
}

void apply_time(const Arguments& args, System& system) {
  if (args.word("time") == "ordered") system.timed();
  if (args.word("time") == "prompt") system.prompt();
}

bool has_value(const Arguments& args, const std::string& name) {
  const auto found = args.values.find(name);
  return found != args.values.end() && !found->second.empty();
}

int number_or(const Arguments& args, const std::string& name, int fallback) {
  return has_value(args, name) ? static_cast<int>(args.number(name)) : fallback;
}

int crash_budget(const Arguments& args) {
  const int named = has_value(args, "crash") ? static_cast<int>(args.nodes("crash").size()) : 0;
  return named == 0 ? 0 : number_or(args, "max-crashes", named);
}

bool links_are_reliable(const Arguments& args) {
  return args.number("drops") == 0 && args.number("partitions") == 0;
}

bool detector_is_right(const Arguments& args) {
  const std::string detector = declares(args, "detector") ? args.word("detector") : "none";
  return detector == "perfect" || (detector == "none" && crash_budget(args) == 0);
}

Result<void> apply_environment(const Arguments& args, const MayCrash& may_crash, System& system) {
  const std::vector<NodeId> nodes =
      has_value(args, "crash") ? args.nodes("crash") : std::vector<NodeId>{};
  for (NodeId node : nodes) {
    if (node >= may_crash.first && node <= may_crash.last) continue;
    return Error{"--crash " + std::to_string(node.value) + ": " + may_crash.what + " are " +
                 std::to_string(may_crash.first) + " to " + std::to_string(may_crash.last)};
  }
  if (has_value(args, "max-crashes") && nodes.empty()) {
    return Error{"--max-crashes: --crash names no node that may crash"};
  }
  const int recoveries = number_or(args, "recoveries", 0);
  if (recoveries > 0 && crash_budget(args) == 0) {
    return Error{"--recoveries " + std::to_string(recoveries) +
                 ": no node can crash; name some with --crash"};
  }
  const Network network = network_of(args.word("network"));
  if (network == Network::kSet && args.number("duplicates") > 0) {
    return Error{"--duplicates: --network set delivers any message any number of times already"};
  }
  if (!nodes.empty()) system.crash(nodes, crash_budget(args));
  system.recoveries(static_cast<uint32_t>(recoveries));
  if (declares(args, "detector")) system.detector(detector_of(args.word("detector")));
  system.network(network);
  system.drops(static_cast<uint32_t>(args.number("drops")));
  system.duplicates(static_cast<uint32_t>(args.number("duplicates")));
  if (args.number("partitions") > 0) {
    system.partitions(static_cast<uint32_t>(args.number("partitions")));
  }
  return {};
}

Result<std::unique_ptr<Checkable>> built(System system) {
  return std::unique_ptr<Checkable>(std::make_unique<System>(std::move(system)));
}

void declare_alike(const Arguments& args, int first, int last, System& system) {
  const std::vector<NodeId> crash = args.nodes("crash");
  std::vector<NodeId> may_crash;
  std::vector<NodeId> others;
  for (int id = first; id <= last; ++id) {
    const bool may = std::find(crash.begin(), crash.end(), NodeId(id)) != crash.end();
    (may ? may_crash : others).emplace_back(id);
  }
  if (!may_crash.empty()) system.alike(std::move(may_crash));
  if (!others.empty()) system.alike(std::move(others));
}

}  // namespace ordeal::protocols
