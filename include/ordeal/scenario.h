// Scenario: make this happen, every time, and check what follows: a unit test of a distributed
// system. Filters and a property machine, on top of any strategy.
//
//   Scenario scenario("a late vote changes nothing");
//   scenario.filter(when(is_message<Vote>() && from(4)).then(hold("late")))
//           .filter(when(elected()).then(release("late")))
//           .machine(machine)
//           .strategy("pctcp").iterations(100)
//           .expect(Expect::at_least(80));
//   ScenarioReport report = *run(scenario, system);
//
// The filters constrain the runs, the strategy picks within them, the machine judges. The system's
// own `always` properties and handlers that fail count as failures too. With a strategy that
// explores everything (bfs, dfs, prefix) the scenario is verified: in every run where the filters
// hold, the machine never fails.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/filter.h"
#include "ordeal/machine.h"

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

struct FilterResult {
  std::string text;  // when(…).then(…)
  std::string file;  // of the user's code
  uint32_t line = 0;
  uint64_t fired = 0;    // events it had
  uint64_t in_vain = 0;  // crashes, restarts, … that were not possible then
};

struct MachineResult {
  struct State {
    std::string name;
    Machine::Kind kind = Machine::Kind::kPlain;
    uint64_t ended_in = 0;  // runs
  };
  struct Transition {
    uint32_t from = 0;
    uint32_t to = 0;
    std::string label;
    uint64_t taken = 0;
  };
  std::vector<State> states;  // the first is the start; empty: there is no machine
  std::vector<Transition> transitions;
};

struct ScenarioReport {
  Verdict verdict = Verdict::kUndecided;
  std::string scenario;
  std::string what;
  std::string expectation;
  std::string system;
  std::map<std::string, std::string> parameters;
  std::string strategy;
  uint64_t seed = 0;
  uint64_t iterations = 0;  // asked for
  uint64_t runs = 0;        // done
  uint64_t successes = 0;
  uint64_t failures = 0;
  uint64_t cut = 0;    // runs that a bound on steps or the constraint ended: they did neither
  uint64_t steps = 0;  // of all runs
  std::vector<StepCount> steps_by_sort;  // as Report::steps
  double seconds = 0;
  bool exhaustive = false;       // by a strategy that explores everything
  bool complete = false;         // … and did
  uint64_t distinct_states = 0;  // … of such a strategy
  std::vector<FilterResult> filters;
  MachineResult machine;
  std::vector<Violation> violations;  // the first of each kind, with traces
  std::vector<std::string> notes;
};

// Of `options`: strategy, seed, max_runs (iterations), max_depth and the bounds replace what the
// scenario says where they are given; stop and progress as in check().
Result<ScenarioReport> run(const Scenario& scenario, const Checkable& subject,
                           const Options& options = {});

// How far apart a filter captures messages and lets them go (Netrix, 3.7): messages received in
// between in a run without filters and faults, taken in the order in which they were sent.
struct FilterDistance {
  enum class Kind : uint8_t { kReorder, kDrop, kByzantine, kOther };
  size_t filter = 0;  // that captures
  int release = -1;   // the filter that releases; -1: none, the end of the run does
  Kind kind = Kind::kOther;
  bool infinite = false;  // no schedule does it: contents are changed or invented
  bool captures = false;  // something in the undisturbed run is captured
  uint64_t messages = 0;
};
Result<std::vector<FilterDistance>> filter_distances(const Scenario& scenario,
                                                     const Checkable& subject);

struct Ablation {
  struct Row {
    size_t filter = 0;
    std::string text;
    FilterDistance distance;
    // The outcome when this filter is left out; an Error where the scenario cannot do without it.
    Result<ScenarioReport> without = Error{};
  };
  ScenarioReport whole;
  std::vector<Row> rows;
  Result<ScenarioReport> bare = Error{};  // no filter at all: what the strategy does alone
  std::string stopped;                    // why rows are missing; "": none are
};
// All runs together keep to the bound on time.
Result<Ablation> ablate(const Scenario& scenario, const Checkable& subject,
                        const Options& options = {});

// The scenario in which what happened in a trace happens first, and the property that it violates
// must hold. Actions are known by what they carry, not by what its fields are called. The steps
// numbered in `may_miss` (from 0) are left out where they are not possible; a run in which another
// one is not has failed. An Error: the trace shows no violation of that kind.
Result<Scenario> scenario_of(const Trace& trace, const std::vector<size_t>& may_miss = {});

// The lines of the script, from 0, that are not possible in this system when their turn comes,
// where they are left out. For a trace with a bug and the system without it: what a test made of
// the trace may miss.
Result<std::vector<size_t>> lines_not_possible(const Scenario& scenario, const Checkable& subject);

// C++ source with a scenario_of() each trace, as GoogleTest tests.
struct SourceOptions {
  std::string include = "protocols/suite.h";         // what declares the suite
  std::string suite = "ordeal::protocols::suite()";  // an expression
  // By trace: the steps that the test may miss (scenario_of()). Empty, or as many as traces.
  std::vector<std::vector<size_t>> may_miss = {};
};
Result<std::string> scenario_source(const std::vector<Trace>& traces,
                                    const SourceOptions& options = {});

}  // namespace ordeal
