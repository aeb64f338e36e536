// Walks: going to the end of a run, again and again. Runs are addresses, so the engine has to go
// the whole way for each; walks that were taken lately are kept, so that one step more is one step.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "explore/explain/walk.h"
#include "ordeal/suite.h"
#include "serve/address.h"

namespace ordeal::serve {

// The same run with the state after every step, where the suite has its subject and does the same
// again; otherwise as it was.
Trace with_states(const Suite& suite, Trace trace);

class Walks {
 public:
  // REQUIRES: the suite outlives it.
  explicit Walks(const Suite& suite) : suite_(suite) {}

  // Goes to the end of the run and calls `visit`, which may take steps from there. Any thread; no
  // two visits share a walk. An Error: there is no such run, or what it runs has failed in a way
  // that is no step of it; or that of `visit`.
  using Visit = std::function<Result<void>(explore::Walk&)>;
  Result<void> visit(const Address& address, const Visit& visit);

 private:
  struct Line {
    std::string key;
    Chosen chosen;
    std::unique_ptr<explore::Walk> walk;
    size_t steps() const { return walk->way().choices.size(); }
  };

  Result<std::shared_ptr<Line>> take(const Address& address);
  Result<std::shared_ptr<Line>> begin(const Address& address) const;
  void put_back(std::shared_ptr<Line> line);

  const Suite& suite_;
  std::mutex mutex_;
  std::list<std::shared_ptr<Line>> idle_;  // the last one used comes first
};

}  // namespace ordeal::serve
