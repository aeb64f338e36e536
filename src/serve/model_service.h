// ModelService: what `ordeal tla serve` answers, without the sockets: events of an implementation
// are followed on its model. docs/reference/tla-execution.md describes it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "language/tla/model/follower.h"
#include "serve/answerer.h"
#include "serve/event_rules.h"
#include "serve/gate.h"

namespace ordeal::serve {

struct ModelSetup {
  std::shared_ptr<tla::Specification> specification;
  std::string key;   // as Execution::Options::key
  EventRules rules;  // come before those that are built in
};

class ModelService final : public Answerer {
 public:
  // An Error: there is nothing to follow, or the key is none.
  static Result<std::unique_ptr<ModelService>> make(ModelSetup setup, Door door);

  std::optional<Answer> refuse(const Ask& ask) const override;
  Answer handle(const Ask& ask) override;
  const Gate& gate() const { return gate_; }

 private:
  class Run;
  // Whoever follows belongs to one request at a time.
  class Lease;

  ModelService(ModelSetup setup, Door door);
  Answer route(const Ask& ask);
  Answer execute(const Ask& ask);
  Answer actions();
  Result<std::unique_ptr<tla::Follower>> borrow();
  void give_back(std::unique_ptr<tla::Follower> follower);

  const ModelSetup setup_;
  const Gate gate_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<tla::Follower>> idle_;
};

}  // namespace ordeal::serve
