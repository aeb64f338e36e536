// A log, line by line, along a model that keeps the set of all states that it could be in.
#pragma once

#include <istream>
#include <nlohmann/json.hpp>
#include <string>

#include "conform/conformance.h"
#include "ordeal/result.h"

namespace ordeal::conform {

using Json = nlohmann::ordered_json;

// A line longer than this is not read.
inline constexpr size_t kLongestLine = size_t{64} << 20;

class LogModel {
 public:
  // What a line did to the states that are possible.
  struct Taken {
    bool ignored = false;  // it says nothing
    bool cut = false;      // there were more states than are kept
    std::string trouble;   // something could not be evaluated: states may be missing
  };

  virtual ~LogModel() = default;
  virtual std::string name() const = 0;
  // Where it can begin. An Error: nowhere.
  virtual Result<Taken> start() = 0;
  // How many states it can be in; 0: the line is none of its steps.
  virtual size_t frontier() const = 0;
  // An Error: nobody can say what the line means.
  virtual Result<Taken> take(const Json& event, uint64_t line) = 0;
  // A line that nobody can read: any one step, or none.
  virtual Result<Taken> take_unread() = 0;
  // About the line that was taken last, and left no state.
  virtual void explain(Departure& out, size_t most) = 0;
  // What is worth knowing in the end.
  virtual std::vector<std::string> notes() const { return {}; }
};

Result<Conformance> walk_log(std::istream& log, LogModel& model, const ConformOptions& options);

}  // namespace ordeal::conform
