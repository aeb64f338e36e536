#include "cli/tla_table.h"

#include <algorithm>

namespace ordeal::cli {
namespace {

std::vector<OptionSpec> without(const std::vector<OptionSpec>& options,
                                const std::vector<std::string>& names) {
  std::vector<OptionSpec> out;
  std::copy_if(options.begin(), options.end(), std::back_inserter(out),
               [&](const OptionSpec& option) {
                 return std::find(names.begin(), names.end(), option.name) == names.end();
               });
  return out;
}

}  // namespace

std::vector<CommandSpec> tla_specs(const std::vector<OptionSpec>& check) {
  std::vector<CommandSpec> all;
  const std::vector<OptionSpec> options =
      without(check, {"bug", "symmetry", "handler-seconds", "require-coverage"});
  all.push_back(
      {"tla check",
       "SPEC.tla [--config FILE] [OPTIONS]",
       "check a specification in TLA+, or all of a directory",
       "Explores every state of a specification in TLA+ and judges it by the invariants and "
       "properties of its\nconfiguration: FILE, or SPEC.cfg beside it. Of a directory, every "
       "specification that has a\nconfiguration is checked, and told in a line.\n\nExit code: 0 "
       "every property holds, 1 one is violated, 2 undecided, 3 an expression has no value in\n"
       "some state, usage or tool error.",
       1,
       1,
       options,
       {{"tla check specs/TwoPhase.tla", "every state of two-phase commit"},
        {"tla check specs/TwoPhase.tla --constant 'RM={\"r1\", \"r2\"}' --json -",
         "with another constant"},
        {"tla check specs", "all of a directory"}}});
  all.push_back({"tla simulate",
                 "SPEC.tla [--config FILE] [OPTIONS]",
                 "take random runs through a specification in TLA+",
                 "Takes runs through a specification and judges every state that they come "
                 "through: one random step\nafter the other unless --strategy says otherwise.",
                 1,
                 1,
                 options,
                 {{"tla simulate specs/Raft.tla --max-runs 1000 --max-depth 50", "a first look"}}});
  return all;
}

}  // namespace ordeal::cli
