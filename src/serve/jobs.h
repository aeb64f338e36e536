// Jobs: the checks and sets of scenarios that were asked for.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ordeal/suite.h"
#include "serve/address.h"
#include "serve/job.h"

namespace ordeal::serve {

class Jobs {
 public:
  // REQUIRES: the suite outlives it.
  explicit Jobs(const Suite& suite) : suite_(suite) {}

  // As in POST /api/jobs. An Error: what is asked for makes no sense.
  Result<std::shared_ptr<Job>> start(const trace::Place& asked);
  // Too many are running to start another one.
  bool full() const;

  // The newest first.
  std::vector<std::shared_ptr<Job>> all() const;
  // Null: there is none of that name (any more).
  std::shared_ptr<Job> find(const std::string& id) const;
  // All of them; returns when they have.
  void stop();

 private:
  Result<std::shared_ptr<Job>> add(const std::string& kind, const std::string& what,
                                   Job::Work work);
  Result<std::shared_ptr<Job>> start_check(const trace::Place& asked);
  Result<std::shared_ptr<Job>> start_scenarios(const trace::Place& asked);

  const Suite& suite_;
  mutable std::mutex mutex_;
  uint64_t count_ = 0;  // ever
  std::vector<std::shared_ptr<Job>> jobs_;
};

}  // namespace ordeal::serve
