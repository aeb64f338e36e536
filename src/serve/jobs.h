// Jobs: the checks and sets of scenarios that were asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ordeal/suite.h"
#include "serve/address.h"
#include "serve/job.h"
#include "serve/kept.h"

namespace ordeal::serve {

class Jobs {
 public:
  // REQUIRES: the suite outlives it.
  explicit Jobs(const Suite& suite);

  // As in POST /api/jobs. An Error: what is asked for makes no sense.
  Result<std::shared_ptr<Job>> start(const trace::Place& asked);
  // Too many are running to start another one.
  bool full() const;

  std::vector<std::shared_ptr<Job>> all() const { return jobs_.all(); }
  std::shared_ptr<Job> find(const std::string& id) const { return jobs_.find(id); }
  // All of them; returns when they have.
  void stop();

 private:
  Result<std::shared_ptr<Job>> add(const std::string& kind, const std::string& what,
                                   Job::Work work);
  Result<std::shared_ptr<Job>> start_check(const trace::Place& asked);
  Result<std::shared_ptr<Job>> start_scenarios(const trace::Place& asked);

  const Suite& suite_;
  Kept<Job> jobs_;
};

}  // namespace ordeal::serve
