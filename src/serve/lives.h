// Lives: the nodes that run in real time, and those who watch them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ordeal/live.h"
#include "ordeal/suite.h"
#include "serve/address.h"
#include "serve/kept.h"

namespace ordeal::serve {

class Live {
 public:
  Live(std::string id, Chosen chosen, std::unique_ptr<LiveRun> run)
      : id_(std::move(id)), chosen_(std::move(chosen)), run_(std::move(run)) {}

  const std::string& id() const { return id_; }
  const std::string& what() const { return chosen_.command_words; }
  LiveRun& run() { return *run_; }
  bool running() const { return run_->status().running; }

  // {"trace": …, "status": …}
  std::string to_json() const;
  // What comes after so many steps.
  static std::shared_ptr<Stream> stream(std::shared_ptr<Live> live, size_t from);

 private:
  class Events;

  const std::string id_;
  const Chosen chosen_;
  const std::unique_ptr<LiveRun> run_;  // of what was chosen
};

class Lives {
 public:
  // REQUIRES: the suite outlives it.
  explicit Lives(const Suite& suite);

  // As in POST /api/live. An Error: what is asked for makes no sense.
  Result<std::shared_ptr<Live>> start(const trace::Place& asked);
  // Too many are running to start another one.
  bool full() const;

  std::vector<std::shared_ptr<Live>> all() const { return lives_.all(); }
  std::shared_ptr<Live> find(const std::string& id) const { return lives_.find(id); }
  void stop();

 private:
  const Suite& suite_;
  Kept<Live> lives_;
};

}  // namespace ordeal::serve
