// Suite: named subjects with parameters and planted bugs, and a command line for them.
//
//   int main(int argc, char** argv) {
//     ordeal::Suite suite;
//     suite.add({.name = "ping-pong",
//                .what = "two nodes, one question, one answer",
//                .parameters = {{"nodes", "2", "how many nodes", 2, 9}},
//                .build = [](const ordeal::Arguments& args) {
//                  return ping_pong(args.number<int>("nodes"));
//                }});
//     return ordeal::main(argc, argv, suite);
//   }
//
// gives that program the subcommands of `ordeal`: list, check, replay, explore, trace info.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/node_id.h"
#include "ordeal/result.h"
#include "ordeal/scenario.h"
#include "ordeal/trace.h"
#include "ordeal/world.h"

namespace ordeal {

// kLines: it may be given several times; its value has a line for each.
enum class ParameterKind : uint8_t { kNumber, kWord, kNodes, kFlag, kLines };

struct Parameter {
  std::string name;      // "nodes", given as --nodes 3
  std::string fallback;  // the default, as text; "" for none
  std::string what;      // one line for --help
  int64_t least = 0;     // kNumber: range
  int64_t most = 1'000'000;
  ParameterKind kind = ParameterKind::kNumber;
  std::vector<std::string> words = {};  // kWord: what is allowed; empty: anything
};

// How a planted bug is found, where a check with the defaults does not.
struct Shows {
  std::string scenario = {};  // in this one; "": by a check
  // Of the subject, in the order in which they are told; of a flag, the value is "yes".
  std::vector<std::pair<std::string, std::string>> parameters = {};
  std::string strategy = {};  // "": the one that check() takes
  uint64_t max_runs = 0;      // 0: as many as the strategy does by itself
};

struct Bug {
  std::string name;
  std::string what;      // is wrong with it
  std::string property;  // the property that catches it
  Shows shows = {};
};
// What is wrong, and how it shows: "…; shows with --crash 1 --strategy random".
std::string show(const Bug& bug);

// The parameters of one check, complete and within their ranges.
class Arguments {
 public:
  // What the subject does not declare, and a number that a T does not hold, is an error of its
  // builder.
  template <std::integral T = int64_t>
  T number(const std::string& name) const {
    using Limits = std::numeric_limits<T>;
    constexpr int64_t kMost = std::in_range<int64_t>(Limits::max())
                                  ? static_cast<int64_t>(Limits::max())
                                  : std::numeric_limits<int64_t>::max();
    return static_cast<T>(number_within(name, static_cast<int64_t>(Limits::min()), kMost));
  }
  const std::string& word(const std::string& name) const;
  std::vector<NodeId> nodes(const std::string& name) const;  // "1,2"
  bool flag(const std::string& name) const;
  bool given(const std::string& name) const;  // by the user, not by default
  bool bug(const std::string& name) const;    // whether this planted bug is switched on

  std::map<std::string, std::string> values;  // every parameter as text
  std::vector<std::string> given_names;
  std::string bug_name;           // empty: the correct form
  std::vector<std::string> bugs;  // that are declared

 private:
  int64_t number_within(const std::string& name, int64_t least, int64_t most) const;
};

// What makes a subject out of its arguments: a function of them that returns a System, a Model, or
// a std::unique_ptr to one; or a Result of that, with an Error where parameters do not fit together
// ("--crash 7: there are nodes 1 to 3").
class Builder {
 public:
  using Built = Result<std::unique_ptr<Checkable>>;

  Builder() = default;
  template <std::invocable<const Arguments&> F>
  Builder(F build)  // NOLINT: implicit on purpose
      : build_([build = std::move(build)](const Arguments& args) { return wrap(build(args)); }) {}

  explicit operator bool() const { return build_ != nullptr; }
  Built operator()(const Arguments& args) const { return build_(args); }

 private:
  template <class T>
  static Built wrap(T built) {
    static_assert(std::derived_from<T, Checkable>, "a builder returns a System or a Model");
    return wrap(std::make_unique<T>(std::move(built)));
  }
  template <class T>
  static Built wrap(std::unique_ptr<T> built) {
    return std::unique_ptr<Checkable>(std::move(built));
  }
  template <class T>
  static Built wrap(Result<T> built) {
    if (!built) return built.error();
    return wrap(std::move(*built));
  }

  std::function<Built(const Arguments&)> build_;
};

struct Subject {
  std::string name = {};
  std::string what = {};
  std::vector<Parameter> parameters = {};
  std::vector<Bug> bugs = {};
  Builder build = {};
};

// A scenario for one of the suite's subjects: `ordeal scenario run NAME`.
struct SuiteScenario {
  std::string name = {};
  std::string subject = {};                            // by name
  std::map<std::string, std::string> parameters = {};  // of the subject; others may be given too
  std::string catches = {};  // the planted bug with which it fails; "": none
  std::function<Scenario(const Arguments&)> make = {};
};

class Suite {
 public:
  // REQUIRES: no other subject has this name.
  Suite& add(Subject subject);
  const std::vector<Subject>& subjects() const { return subjects_; }
  const Subject* find(const std::string& name) const;

  // REQUIRES: no other scenario has this name, and its subject has been added.
  Suite& add(SuiteScenario scenario);
  const std::vector<SuiteScenario>& scenarios() const { return scenarios_; }
  const SuiteScenario* find_scenario(const std::string& name) const;

  // Checks names and ranges and fills in defaults; an Error names the parameter, what was given,
  // what is allowed, and the nearest right name.
  Result<Arguments> arguments(const Subject& subject,
                              const std::map<std::string, std::string>& given,
                              const std::string& bug) const;

 private:
  std::vector<Subject> subjects_;
  std::vector<SuiteScenario> scenarios_;
};

// The steps of a trace, from 0, that its subject does not take in its correct form, without the bug
// that the trace names: a test made of it may miss those (see scenario_of()). None where the trace
// names no bug, or a subject that the suite does not have.
Result<std::vector<size_t>> steps_to_miss(const Suite& suite, const Trace& trace);

// The command line. Returns the exit code: 0 holds (or the command did its job), 1 violated
// (replay: reproduced), 2 undecided (also after an interrupt), 3 usage or tool error (replay:
// diverged).
int main(int argc, char** argv, const Suite& suite);

}  // namespace ordeal
