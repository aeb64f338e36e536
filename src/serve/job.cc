#include "serve/job.h"

#include <algorithm>
#include <chrono>
#include <exception>

namespace ordeal::serve {
namespace {

constexpr size_t kMostPoints = 2000;

double now() {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

bool is_about(const Json& known, const std::string& property) {
  return known["property"] == property;
}

template <class List>
auto find_property(List& list, const std::string& property) {
  return std::find_if(list.begin(), list.end(),
                      [&](const Json& known) { return is_about(known, property); });
}

// Line ends stand only between the tokens of JSON.
std::string on_one_line(std::string json) {
  std::replace(json.begin(), json.end(), '\n', ' ');
  return json;
}

}  // namespace

// The stream of one who listens: remembers what it has told.
class Job::Events : public Stream {
 public:
  explicit Events(std::shared_ptr<Job> job) : job_(std::move(job)) {}

  bool next(std::chrono::milliseconds patience, std::string& out) override {
    std::unique_lock lock(job_->mutex_);
    job_->news_.wait_for(lock, patience, [&] { return job_->version_ != seen_; });
    seen_ = job_->version_;
    for (const Json& point : job_->points_) {
      const double seconds = point["seconds"];
      if (seconds <= told_seconds_) continue;
      told_seconds_ = seconds;
      out += event("progress", line(point));
    }
    tell("finding", job_->findings_, findings_, out);
    tell("reached", job_->reached_, reached_, out);
    tell("scenario", job_->scenarios_, scenarios_, out);
    if (job_->state_ == "running") return true;
    out += event("done", on_one_line(job_->text(Part::kWithoutProgress)));
    return false;
  }

 private:
  static void tell(const char* name, const std::vector<Json>& all, size_t& told, std::string& out) {
    for (; told < all.size(); ++told) out += event(name, line(all[told]));
  }

  std::shared_ptr<Job> job_;
  uint64_t seen_ = 0;
  double told_seconds_ = -1;
  size_t findings_ = 0;
  size_t reached_ = 0;
  size_t scenarios_ = 0;
};

Job::Job(std::string id, std::string kind, std::string what)
    : id_(std::move(id)), kind_(std::move(kind)), what_(std::move(what)), started_(now()) {}

Job::~Job() {
  stop();
  wait();
}

void Job::start(Work work) {
  thread_ = std::thread([this, work = std::move(work)] {
    Result<void> result;
    try {
      result = work(*this);
    } catch (const std::exception& e) {
      result = Error{e.what()};
    }
    const std::lock_guard lock(mutex_);
    end(result);
  });
}

void Job::end(const Result<void>& result) {
  state_ = !result ? "failed" : stop_ ? "stopped" : "done";
  if (!result) error_ = result.error().message;
  changed();
}

bool Job::running() const {
  const std::lock_guard lock(mutex_);
  return state_ == "running";
}

void Job::wait() {
  if (thread_.joinable()) thread_.join();
}

double Job::seconds() const { return now() - started_; }

void Job::changed() {
  ++version_;
  news_.notify_all();
}

void Job::add_point(Json point) {
  const std::lock_guard lock(mutex_);
  points_.push_back(std::move(point));
  // A plot of a long search needs no more.
  if (points_.size() > kMostPoints) {
    size_t kept = 0;
    for (size_t i = 1; i < points_.size(); i += 2) points_[kept++] = std::move(points_[i]);
    points_.resize(kept);
  }
  changed();
}

void Job::add_finding(double seconds, const std::string& property, const std::string& kind) {
  const std::lock_guard lock(mutex_);
  if (find_property(findings_, property) != findings_.end()) return;
  findings_.push_back({{"seconds", seconds}, {"property", property}, {"kind", kind}});
  changed();
}

void Job::add_reached(double seconds, const std::string& property) {
  const std::lock_guard lock(mutex_);
  if (find_property(reached_, property) != reached_.end()) return;
  reached_.push_back({{"seconds", seconds}, {"property", property}});
  changed();
}

void Job::complete_finding(double seconds, const std::string& property, Json more) {
  const std::lock_guard lock(mutex_);
  // Scenarios may violate the same property one after the other.
  auto known = find_property(findings_, property);
  if (known == findings_.end() || more.contains("scenario")) {
    findings_.push_back({{"seconds", seconds}, {"property", property}});
    known = std::prev(findings_.end());
  }
  known->update(more);
  changed();
}

void Job::add_scenario(Json scenario) {
  const std::lock_guard lock(mutex_);
  scenarios_.push_back(std::move(scenario));
  changed();
}

void Job::set_report(std::string json) {
  const std::lock_guard lock(mutex_);
  report_ = std::move(json);
  changed();
}

void Job::add_run(const std::string& name, const std::string& role, const Trace& trace) {
  std::string run = line({{"name", name}, {"role", role}});
  run.pop_back();
  run += ",\"trace\":" + ordeal::to_json(trace) + "}";
  const std::lock_guard lock(mutex_);
  runs_.push_back(std::move(run));
  changed();
}

std::string Job::to_json(Part part) const {
  const std::lock_guard lock(mutex_);
  return text(part);
}

std::string Job::text(Part part) const {
  Json json = {{"id", id_}, {"kind", kind_}, {"what", what_}, {"state", state_}};
  if (!error_.empty()) json["error"] = error_;
  if (part != Part::kWithoutProgress) json["progress"] = points_;
  json["findings"] = findings_;
  json["reached"] = reached_;
  if (kind_ == "scenarios") json["scenarios"] = scenarios_;
  std::string out = line(json);
  out.pop_back();
  if (!report_.empty()) out += ",\"report\":" + report_;
  if (!runs_.empty() && part != Part::kWithoutRuns) {
    out += ",\"runs\":[";
    for (size_t i = 0; i < runs_.size(); ++i) out += (i == 0 ? "" : ",") + runs_[i];
    out += "]";
  }
  return out + "}";
}

std::shared_ptr<Stream> Job::stream(std::shared_ptr<Job> job) {
  return std::make_shared<Events>(std::move(job));
}

}  // namespace ordeal::serve
