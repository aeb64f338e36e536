// Scenario: make this happen, every time, and check what follows: a unit test of a distributed
// system. Filters and a property machine, on top of any strategy.
//
//   Scenario scenario("a late vote changes nothing");
//   scenario.filter(when(is_message<Vote>() && from(4)).then(hold("late")))
//           .filter(when(elected()).then(release("late")))
//           .machine(machine)
//           .strategy("pctcp").iterations(100)
//           .expect(Expect::at_least(80));
//
// run() of scenario_run.h runs it. The filters constrain the runs, the strategy picks within them,
// the machine judges. The system's own `always` properties and handlers that fail count as failures
// too. With a strategy that explores everything (bfs, dfs, prefix) the scenario is verified: in
// every run where the filters hold, the machine never fails.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/condition.h"
#include "ordeal/filter.h"
#include "ordeal/machine.h"
#include "ordeal/node_id.h"
#include "ordeal/result.h"
#include "ordeal/trace.h"
#include "ordeal/where.h"
#include "ordeal/world.h"

namespace ordeal {

// What the runs of a scenario must show. A run that fails violates all of them.
class Expect {
 public:
  enum class Kind : uint8_t { kAlways, kNever, kAtLeast };
  static Expect always() { return {Kind::kAlways, 0}; }  // every run succeeds
  static Expect never() { return {Kind::kNever, 0}; }    // none does
  // So many succeed, of as many runs as there are.
  static Expect at_least(uint64_t runs) { return {Kind::kAtLeast, runs}; }

  Kind kind() const { return kind_; }
  uint64_t runs() const { return runs_; }

 private:
  Expect(Kind kind, uint64_t runs) : kind_(kind), runs_(runs) {}
  Kind kind_;
  uint64_t runs_;
};
std::string show(const Expect& expect);  // "at least 80"

// The nodes, in parts: created by their sizes (drawn anew for every run) or by who is in them.
class Partition {
 public:
  explicit Partition(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  Condition from_part(int part, Where where = Where::current()) const;  // from 0
  Condition across(Where where = Where::current()) const;               // from one part to another
  Condition within(Where where = Where::current()) const;               // both in the same

 private:
  std::string name_;
};

class Scenario {
 public:
  struct PartitionDeclaration {
    std::string name;
    std::vector<int> sizes;                   // drawn; or
    std::vector<std::vector<NodeId>> blocks;  // given
    Where where;
  };
  struct Draw {
    std::string name;
    std::vector<NodeId> among;  // empty: all nodes
    Where where;
  };
  struct DrawnNumber {
    std::string name;
    uint32_t below = 0;
    Where where;
  };
  enum class Faults : uint8_t { kAlsoByStrategy, kOnlyByFilters };

  explicit Scenario(std::string name, Where where = Where::current());

  Scenario& what(std::string line);  // what it is about, for lists
  Scenario& filter(Filter filter);
  // Nothing from it or to it arrives.
  Scenario& isolate(Who node, Where where = Where::current());
  Scenario& machine(Machine machine);
  // A node that is drawn for every run; `among` some of them.
  Who draw(std::string name, std::vector<NodeId> among = {}, Where where = Where::current());
  // A number from 0 to below - 1 that is drawn for every run; ScenarioContext::drawn_number() gives
  // it. For functions of your own that shall vary: one that draws by itself would draw the same in
  // every run, which starts it afresh.
  Scenario& draw_number(std::string name, uint32_t below, Where where = Where::current());
  Partition partition(std::string name, std::vector<int> sizes, Where where = Where::current());
  Partition partition(std::string name, std::vector<std::vector<NodeId>> parts,
                      Where where = Where::current());
  // These actions happen first, in this order, written as traces show them ("crash 1", "deliver
  // Decided{value: 2} 2→3"), or with the digest of what they carry ("deliver Decided #… 2→3", see
  // show_by_digest()). A run in which one of them is not possible when its turn comes has failed;
  // only a line that begins with "? " is left out then. After the last one the strategy goes on.
  Scenario& script(std::vector<std::string> actions, Where where = Where::current());
  // Every run starts in this initial state of the system, by its number in traces. Default: in any,
  // where nodes choose while they start.
  Scenario& starts_in(uint32_t initial);
  // The system's faults (crashes, losses, …) happen only where a filter or the script says so.
  Scenario& faults(Faults faults);
  // A property of the system, by name, that is an `eventually`: runs that end without it fail too.
  Scenario& require(std::string property, Where where = Where::current());

  Scenario& strategy(std::string name);  // default: pctcp
  Scenario& iterations(uint64_t runs);   // default: 100
  // A bound on the steps of one run; default: as check(). A run that it cuts has come to no end:
  // whether it would have succeeded is not known.
  Scenario& max_steps(uint32_t steps);
  // A run is over after so many steps, whatever could still happen: the machine sees its end, and
  // what is required must be true by then. For systems that never come to rest.
  Scenario& ends_after(uint32_t steps);
  Scenario& expect(Expect expectation);  // default: always with a machine, else: none fails

  // --- What was declared ------------------------------------------------------------------------
  struct Declaration {
    std::string name;
    std::string what;
    Where where;
    std::vector<Filter> filters;
    std::vector<Machine> machine;  // none or one
    std::vector<Draw> draws;
    std::vector<DrawnNumber> numbers;
    std::vector<PartitionDeclaration> partitions;
    std::vector<std::string> script;
    Where script_where;
    std::optional<uint32_t> starts_in;
    Faults faults = Faults::kAlsoByStrategy;
    std::vector<std::pair<std::string, Where>> required;
    std::string strategy = "pctcp";
    uint64_t iterations = 100;
    uint32_t max_steps = 0;
    uint32_t ends_after = 0;  // 0: where nothing more can happen
    Expect expectation = Expect::always();
  };
  const Declaration& declaration() const { return declaration_; }
  // The same without filter number `index`, from 0; for ablation.
  Scenario without_filter(size_t index) const;
  Scenario without_filters() const;

 private:
  Declaration declaration_;
};

// An Error says what makes no sense about the scenario for this system, with file and line: types
// and nodes that do not exist, filters that can never fire, a success that cannot be reached, …
Result<void> validate(const Scenario& scenario, const Checkable& subject);

// Whether it can be searched exhaustively: all that it remembers is in its context. An Error says
// which function is not const.
Result<void> is_value(const Scenario& scenario);

// The system under the scenario: its runs are those that the filters allow. For check(), replay()
// and everything else that takes a system. REQUIRES: `subject` outlives it.
Result<std::unique_ptr<Checkable>> under(const Scenario& scenario, const Checkable& subject);

// The scenario in which what happened in a trace happens first, and the property that it violates
// must hold. Actions are known by what they carry, not by what its fields are called. The steps
// numbered in `may_miss` (from 0) are left out where they are not possible; a run in which another
// one is not has failed. An Error: the trace shows no violation of that kind.
Result<Scenario> scenario_of(const Trace& trace, const std::vector<size_t>& may_miss = {});

}  // namespace ordeal
