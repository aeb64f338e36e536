// Job: a check, or a set of scenarios, that goes on in the background while others ask how far it
// is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/trace.h"
#include "serve/ask.h"

namespace ordeal::serve {

// What a job tells while it works. Any thread.
class Job {
 public:
  // `what`: one line for people.
  Job(std::string id, std::string kind, std::string what);
  ~Job();  // stops it
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // Runs in a thread of its own. An Error it returns: the job has failed.
  using Work = std::function<Result<void>(Job&)>;
  void start(Work work);
  void stop() { stop_ = true; }
  bool running() const;
  void wait();  // until it is over
  const std::string& id() const { return id_; }

  // --- For the work ------------------------------------------------------------------------------
  const std::atomic<bool>& stop_flag() const { return stop_; }
  double seconds() const;
  void add_point(Json point);  // with "seconds"
  // Each only once, by name.
  void add_finding(double seconds, const std::string& property, const std::string& kind);
  void add_reached(double seconds, const std::string& property);
  // What is known of a finding in the end.
  void complete_finding(double seconds, const std::string& property, Json more);
  void add_scenario(Json scenario);
  // In JSON already.
  void set_report(std::string json);
  void add_run(const std::string& name, const std::string& role, const Trace& trace);

  // --- For those who ask -------------------------------------------------------------------------
  enum class Part : uint8_t { kAll, kWithoutRuns, kWithoutProgress };
  std::string to_json(Part part = Part::kAll) const;
  // Everything from the beginning.
  static std::shared_ptr<Stream> stream(std::shared_ptr<Job> job);

 private:
  class Events;

  // REQUIRES, of all of them: the mutex is held.
  void changed();
  void end(const Result<void>& result);
  std::string text(Part part) const;

  const std::string id_;
  const std::string kind_;
  const std::string what_;
  const double started_;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable news_;
  std::string state_ = "running";
  std::string error_;
  std::vector<Json> points_;
  std::vector<Json> findings_;
  std::vector<Json> reached_;
  std::vector<Json> scenarios_;
  std::string report_;
  std::vector<std::string> runs_;
  uint64_t version_ = 0;
  std::thread thread_;
};

}  // namespace ordeal::serve
