// Execution: a specification in TLA+ followed step by step, by the names of its actions.
//
//   tla::Execution::Options options;
//   options.path = "specs/TwoPhase.tla";
//   options.constants = {{"RM", "{\"r1\", \"r2\"}"}};
//   Result<tla::Execution> model = tla::Execution::open(options);
//   if (!model) std::cerr << model.error().message;
//
//   const auto prepares = model->find("RMPrepare", {{"r", "\"r1\""}});
//   const auto visit = model->take(*prepares);  // in a loop: nothing is looked up or allocated
//   if (visit && !visit->taken) std::cout << "RMPrepare is not enabled here\n";
//   std::cout << model->key() << "\n" << model->state();
//
// That is how an implementation is held against its model in one process, or how a fuzzer is told
// which states of the model its runs come through. What is asked for is evaluated alone: Next is
// taken apart under disjunctions, conjunctions and \E, and other actions are not looked at.
//
// Arguments are given by name: the parameters of the action's definition, and the witnesses of \E
// above it and within it. What is not given is the engine's choice: the first that there is. Where
// one name and the same arguments have several successors, the first in canonical order is taken,
// and Visit::unique is false. An action that is not enabled leaves the state as it is. CONSTRAINT
// and SYMMETRY of the configuration are left aside: what is followed has happened elsewhere.
//
// An Execution belongs to one thread at a time. It can be moved, not copied; open the specification
// again for another.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/value.h"

namespace ordeal::tla {

class Execution {
 public:
  struct Options {
    std::string path = {};                              // SPEC.tla
    std::string config = {};                            // "": SPEC.cfg beside it, if it is there
    std::map<std::string, std::string> constants = {};  // NAME → expression, over the configuration
    std::vector<std::string> libraries = {};            // directories with modules
    // What tells states apart: an expression of the specification. "": the configuration's VIEW, or
    // else all variables.
    std::string key = {};
  };

  struct Action {
    std::string name;
    std::vector<std::string> parameters;
    std::vector<std::string> witnesses;  // of \E, besides those that are passed as parameters
  };

  // An action with its arguments, looked up once. It belongs to the Execution that found it.
  class Command {
   private:
    friend class Execution;
    size_t number_ = 0;
  };

  struct Visit {
    bool taken = false;  // false: not enabled; the state is what it was
    bool unique = true;  // false: there were other successors
    int64_t key = 0;     // of the state after it
  };

  // One of a sequence: an action with arguments, or a reset.
  struct Event {
    std::string name = {};
    std::map<std::string, std::string> arguments = {};  // NAME → expression
    bool reset = false;                                 // begin again at the initial state
  };
  struct State {
    std::string text;
    int64_t key = 0;
    bool taken = true;
    bool unique = true;
  };

  // An Error has the place in the specification, and what would be right.
  static Result<Execution> open(const Options& options);
  Execution(Execution&&) noexcept;
  Execution& operator=(Execution&&) noexcept;
  ~Execution();

  // In the order of the text.
  std::vector<Action> actions() const;
  // Arguments are expressions without variables, such as "2", "{\"a\"}" or the name of a constant.
  // An Error names what there is.
  Result<Command> find(const std::string& action,
                       const std::map<std::string, std::string>& arguments = {});

  // An Error: some expression has no value there. The state stays as it is.
  Result<Visit> take(Command command);
  // To the initial state of that number, in the order in which Init says them.
  Result<void> reset(size_t initial = 0);

  // Equal for equal states (or equal values of Options::key), in every process and on every
  // machine.
  int64_t key() const;
  // As TLC prints it: a line "/\ name = value" for each variable.
  std::string state() const;
  value::Tree tree() const;  // a record of the variables
  // What an expression is in this state, as TLC prints it.
  Result<std::string> evaluate(const std::string& expression);
  // The names of the configuration's invariants that are false in this state.
  Result<std::vector<std::string>> violated();

  // From the initial state: that one, and the state after each event. A reset begins again and
  // shows the initial state, but for one at the end.
  Result<std::vector<State>> run(const std::vector<Event>& events);

 private:
  struct Body;
  explicit Execution(std::unique_ptr<Body> body);
  std::unique_ptr<Body> body_;
};

}  // namespace ordeal::tla
