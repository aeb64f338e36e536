#include "explore/strategy/claims.h"

#include <algorithm>

#include "base/text.h"
#include "base/watch.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {
namespace {

const char* heading(About about) {
  switch (about) {
    case About::kFailures:
      return "no handler fails";
    case About::kTerminal:
      return "`eventually`, no deadlock";
    case About::kAlwaysEach:
      return "`always`, each node by itself";
    case About::kAlwaysSeveral:
      return "`always`, several nodes, decisions, history";
    case About::kAlwaysAnything:
      return "`always`, anything";
    case About::kAlwaysSteps:
      return "`always`, of steps";
    case About::kSometimesSeveral:
      return "`sometimes`, nodes, decisions, history";
    case About::kSometimesAnything:
      return "`sometimes`, anything";
    case About::kConstraint:
      return "within a constraint";
    case About::kTimed:
      return "timed systems";
    case About::kOpaque:
      return "opaque nodes";
    case About::kRuns:
      return "runs that go on for ever: leads to, infinitely often, …";
  }
  return "";
}

const char* cell(Kept kept) {
  switch (kept) {
    case Kept::kYes:
      return "kept";
    case Kept::kMoreDependent:
      return "kept ¹";
    case Kept::kAllDependent:
      return "kept ²";
    case Kept::kSymmetric:
      return "kept ³";
    case Kept::kFinds:
      return "finds";
    case Kept::kOpen:
      return "open";
    case Kept::kRefused:
      return "refused";
  }
  return "";
}

const Claims* find(const std::string& name) {
  for (const Claims& one : claims()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

std::string those_that_keep(About about, bool forkable) {
  return ordeal::join(strategies_where([&](const Strategy& strategy) {
                        return (forkable || !strategy.needs_space) &&
                               keeps(strategy.kept[static_cast<size_t>(about)]);
                      }),
                      ", ");
}

}  // namespace

const std::vector<Claims>& claims() {
  static const std::vector<Claims> all = [] {
    std::vector<Claims> out;
    for (const Strategy& strategy : all_strategies()) out.push_back({strategy.name, strategy.kept});
    out.push_back(
        {"--reduce sleep",
         {Kept::kYes, Kept::kYes, Kept::kYes, Kept::kYes, Kept::kYes, Kept::kRefused, Kept::kYes,
          Kept::kYes, Kept::kRefused, Kept::kAllDependent, Kept::kRefused, Kept::kRefused}});
    out.push_back({"--symmetry",
                   {Kept::kYes, Kept::kSymmetric, Kept::kSymmetric, Kept::kSymmetric,
                    Kept::kSymmetric, Kept::kRefused, Kept::kSymmetric, Kept::kSymmetric,
                    Kept::kSymmetric, Kept::kYes, Kept::kRefused, Kept::kRefused}});
    return out;
  }();
  return all;
}

About about(const Property& property, uint32_t number) {
  if (number == kNoFailure) return About::kFailures;
  const bool anything = property.reads == Reads::kAnything;
  switch (property.kind) {
    case PropertyKind::kEventually:
      return About::kTerminal;
    case PropertyKind::kSometimes:
      return anything ? About::kSometimesAnything : About::kSometimesSeveral;
    case PropertyKind::kAlways:
      break;
  }
  if (property.on_runs) return About::kRuns;
  if (property.on_steps) return About::kAlwaysSteps;
  if (property.reads == Reads::kEachNode) return About::kAlwaysEach;
  return anything ? About::kAlwaysAnything : About::kAlwaysSeveral;
}

Result<void> may_claim(const std::string& way, const Checkable& subject, bool forkable) {
  const Claims* known = find(way);
  if (known == nullptr) return {};
  const auto refused = [&](About what) {
    return known->kept[static_cast<size_t>(what)] == Kept::kRefused;
  };
  const std::string who = (way.starts_with("--") ? "" : "strategy ") + way;
  const std::vector<Property>& properties = subject.properties();
  for (uint32_t i = 0; i < properties.size(); ++i) {
    const About what = about(properties[i], i);
    if (!refused(what)) continue;
    const std::string why =
        what == About::kRuns
            ? "which is about runs that go on for ever: not every run is left as the subject has "
              "it, or a cycle is one of classes of states and perhaps of no states"
        : what == About::kAlwaysSteps
            ? "which is about steps: not every step is taken as the subject takes it"
            : "which may look at the whole state: it leaves out states between those that it "
              "visits";
    return Error{
        who + " cannot check \"" + properties[i].name + "\" (" +
        (properties[i].word.empty() ? to_string(properties[i].kind) : properties[i].word.c_str()) +
        "), " + why + ". Strategies that can: " + those_that_keep(what, forkable)};
  }
  if (subject.constrained() && refused(About::kConstraint)) {
    return Error{who +
                 " cannot keep to a constraint (within): which order of two steps stays inside may "
                 "differ. Strategies that can: " +
                 those_that_keep(About::kConstraint, forkable)};
  }
  return {};
}

Result<void> may_trust(const SpaceStatistics& effort) {
  if (effort.collision.empty()) return {};
  return Error{
      "two different values have the same hash, and states that differ in them would be "
      "taken for one: " +
      effort.collision +
      ". Types are told apart by the names that linkers know: give them different names, "
      "or take one out of its anonymous namespace"};
}

Result<void> may_trust(const Checkable& subject, uint64_t seed, uint64_t transitions) {
  // Of what was interrupted so that nobody waits, nothing is claimed.
  if (calls_are_abandoned()) return {};
  // A step that is rehearsed takes as long as some twenty of a search.
  return subject.rehearse(seed, std::clamp<uint64_t>(transitions / 1000, 500, 5000));
}

}  // namespace ordeal::explore

namespace ordeal {
namespace {

std::string needs_words(const explore::Strategy& strategy) {
  std::vector<std::string> out;
  if (strategy.needs_space) out.emplace_back("saved states");
  if (strategy.needs_footprints) out.emplace_back("footprints");
  if (strategy.needs_seed) out.emplace_back("a seed");
  return join(out, ", ");
}

std::string option_names(const std::vector<explore::StrategyOption>& options) {
  std::vector<std::string> out;
  out.reserve(options.size());
  for (const explore::StrategyOption& option : options) out.push_back("`--" + option.name + "`");
  return join(out, ", ");
}

// What is in the descriptions, a line for each.
std::string strategies_table() {
  std::string out = "| strategy | what it does | needs | a run again | options |\n";
  out += "| --- | --- | --- | --- | --- |\n";
  for (const explore::Strategy& one : explore::all_strategies()) {
    out += "| `" + one.name + "` | " + one.what + " | " + needs_words(one) + " | " +
           (one.runs_by_number ? "by seed and number" : "by short form") + " | " +
           option_names(one.options) + " |\n";
  }
  return out;
}

}  // namespace

std::string strategies_markdown() {
  using explore::About;
  using explore::Claims;
  std::string out =
      "# Which strategy may claim what\n\nThe output of `ordeal list --strategies`, made from the "
      "table by which checks are refused: a strategy\nthat would not keep a property does not "
      "check it, names one that does, and the exit code is 3. The last\ncolumns are reductions of "
      "`bfs` and `dfs`.\n\n|";
  for (const Claims& one : explore::claims()) out += " | `" + one.name + "`";
  out += " |\n| --- |";
  for (size_t i = 0; i < explore::claims().size(); ++i) out += " --- |";
  out += "\n";
  for (size_t i = 0; i < explore::kAbouts; ++i) {
    out += "| " + std::string(explore::heading(static_cast<About>(i))) + " |";
    for (const Claims& one : explore::claims()) {
      out += std::string(" ") + explore::cell(one.kept[i]) + " |";
    }
    out += "\n";
  }
  out +=
      "\nkept: a clean, complete result is *holds*. finds: violations are found, nothing is "
      "proved; a clean result\nis *undecided*. open: it says nothing of it, the verdict is "
      "*undecided*. ¹ More actions are taken to depend on each other: "
      "those "
      "that change\nwhat the property reads; what opaque objects do, which is known only when it "
      "is "
      "done. ² All actions are taken\nto depend on each other: nothing is left out. ³ If the "
      "property does not tell like\nnodes apart.\n\nWhat a property reads "
      "follows from how it is written. Each node by itself: `each`, `every_decision`,\n"
      "`decides_at_most_once`. Several nodes: `pairs`; decisions: `agreement`; history: "
      "`linearizable`. Anything: a\nfunction of the view, and every property of a raw model. "
      "`eventually` and no deadlock are about terminal\nstates, whatever they read; that no run "
      "which "
      "goes on for ever violates an `eventually` is decided by `bfs`\nand `dfs`, with sleep sets, "
      "too, and open with `--symmetry` where progress can go round. [Dependence]"
      "(dependence.md) says which actions commute.\n\n## What each is and needs\n\n";
  out += strategies_table();
  out +=
      "\nThe options are explained in [the command line](cli.md#check). A run that is had again by "
      "its short form only\nfollows from the runs before it: strategies that enumerate or learn.\n";
  return out;
}

}  // namespace ordeal
