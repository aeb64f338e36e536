#include "serve/lives.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "trace/step_json.h"

namespace ordeal::serve {
namespace {

constexpr size_t kMostLivesRunning = 4;
constexpr size_t kMostLivesKept = 10;
constexpr std::chrono::milliseconds kStatusEvery(200);

Json verdict_json(const LiveStatus::Verdict& verdict) {
  return {{"property", verdict.property}, {"kind", verdict.kind}, {"violated", verdict.violated},
          {"reached", verdict.reached},   {"why", verdict.why},   {"nodes", verdict.nodes},
          {"step", verdict.step}};
}

Json status_json(const LiveStatus& status) {
  Json json = {{"running", status.running},   {"quiet", status.quiet},
               {"seconds", status.seconds},   {"speed", status.speed},
               {"steps", status.steps},       {"why", status.why},
               {"nodes", Json::array()},      {"links", Json::array()},
               {"requests", Json::array()},   {"verdicts", Json::array()},
               {"unfinished", Json::array()}, {"unrecorded", status.unrecorded}};
  for (const LiveStatus::Node& node : status.nodes) {
    json["nodes"].push_back({{"id", node.id},
                             {"name", node.name},
                             {"up", node.up},
                             {"paused", node.paused},
                             {"queue", node.queue}});
  }
  for (const LiveStatus::Link& link : status.links) {
    json["links"].push_back(
        {{"from", link.from}, {"to", link.to}, {"drop", link.drop}, {"delay_ms", link.delay_ms}});
  }
  for (const LiveStatus::Request& request : status.requests) {
    json["requests"].push_back(
        {{"index", request.index}, {"node", request.node}, {"text", request.text}});
  }
  for (const LiveStatus::Verdict& verdict : status.verdicts) {
    json["verdicts"].push_back(verdict_json(verdict));
  }
  for (const LiveStatus::Unfinished& one : status.unfinished) {
    json["unfinished"].push_back({{"node", one.node}, {"what", one.what}});
  }
  return json;
}

double read_milliseconds(const trace::Place& place, double fallback) {
  constexpr double kMost = 3'600'000;
  if (place.absent()) return fallback;
  if (!place.json().is_number() || place.json() < 0 || place.json() > kMost) {
    place.fail("milliseconds, from 0 to 3600000");
    return fallback;
  }
  return place.json();
}

LiveOptions read_live_options(const trace::Place& place) {
  LiveOptions options;
  if (place.absent()) return options;
  options.unit_ms = read_milliseconds(place["unit_ms"], options.unit_ms);
  options.seed = place["seed"].number_or<uint64_t>(0, 0, UINT64_MAX);
  if (const trace::Place latency = place["latency_ms"]; !latency.absent()) {
    std::vector<double> both;
    latency.each(
        [&](const trace::Place& one, size_t) { both.push_back(read_milliseconds(one, 0)); });
    if (both.size() == 2 && both[0] <= both[1]) {
      options.latency_low_ms = both[0];
      options.latency_high_ms = both[1];
    } else {
      latency.fail("two numbers: the least and the most");
    }
  }
  if (const trace::Place hold = place["hold_requests"]; !hold.absent()) {
    if (!hold.json().is_boolean()) hold.fail("true or false");
    options.hold_requests = hold.json() == true;
  }
  return options;
}

}  // namespace

class Live::Events : public Stream {
 public:
  Events(std::shared_ptr<Live> live, size_t from) : live_(std::move(live)), steps_(from) {}

  bool next(std::chrono::milliseconds patience, std::string& out) override {
    const double seconds = std::chrono::duration<double>(patience).count();
    const LiveNews news = live_->run_->poll(steps_, notes_, seconds);
    for (const TraceStep& step : news.steps) out += event("step", trace::step_json(step, ++steps_));
    for (const std::string& note : news.notes) out += event("note", line({{"text", note}}));
    notes_ += news.notes.size();
    // Time goes on even where nothing happens, and steps may come faster than anybody looks.
    const Clock::time_point now = Clock::now();
    if (news.over || now - told_ >= kStatusEvery) {
      told_ = now;
      out += event("status", line(status_json(live_->run_->status())));
    }
    if (news.over) out += event("over", line({{"why", news.why}}));
    return !news.over;
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::shared_ptr<Live> live_;
  Clock::time_point told_;
  size_t steps_;
  size_t notes_ = 0;
};

std::string Live::to_json() const {
  return "{\"trace\":" + ordeal::to_json(run_->trace()) +
         ",\"status\":" + line(status_json(run_->status())) + "}";
}

std::shared_ptr<Stream> Live::stream(std::shared_ptr<Live> live, size_t from) {
  return std::make_shared<Events>(std::move(live), from);
}

Lives::Lives(const Suite& suite) : suite_(suite), lives_(kMostLivesKept) {}

Result<std::shared_ptr<Live>> Lives::start(const trace::Place& asked) {
  Address address;
  address.system = asked["system"].text();
  address.parameters = read_parameters(asked["parameters"]);
  LiveOptions options = read_live_options(asked["options"]);
  if (asked.failed()) return Error{};
  Result<Chosen> chosen = choose(suite_, address, "");
  if (!chosen) return chosen.error();
  chosen->label(options);
  Result<std::unique_ptr<LiveRun>> run = LiveRun::start(*chosen->checkable, options);
  if (!run) return Error{"system: " + run.error().message};
  const std::shared_ptr<Live> live = lives_.add([&](const std::string& id) {
    return std::make_shared<Live>(id, *std::move(chosen), *std::move(run));
  });
  if (live == nullptr) return Error{"too many live runs"};
  return live;
}

bool Lives::full() const { return lives_.running() >= kMostLivesRunning; }

void Lives::stop() {
  // All at once: each may take its grace, and nobody wants to wait for their sum.
  std::vector<std::jthread> stops;
  for (const auto& live : all()) {
    stops.emplace_back([live] { live->run().stop("the server was stopped"); });
  }
}

}  // namespace ordeal::serve
