// How much a filter matters: how far apart it captures and lets go (Netrix, section 3.7), and what
// happens when it is left out.
#include "ordeal/ablate.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/guard.h"
#include "explore/run/driver.h"
#include "explore/scenario_run.h"
#include "explore/schedule/schedulers.h"
#include "explore/strategy/findings.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "system/scenario/product.h"

namespace ordeal {
namespace {

using Declaration = Scenario::Declaration;

// --- The run that nothing disturbs --------------------------------------------------------------

// In that run nothing is held, so the size of a set is counted apart.
std::string size_counter(const std::string& set) { return "size of " + set; }

Condition with_sizes_counted(const Condition& condition) {
  Condition::Node node = condition.node();
  const bool is_size = node.kind == Condition::Kind::kSetSize;
  bool changed = is_size;
  if (is_size) {
    node.kind = Condition::Kind::kCounter;
    node.name = size_counter(node.name);
  }
  for (Condition& inner : node.inner) {
    const Condition counted = with_sizes_counted(inner);
    changed = changed || counted.id() != inner.id();
    inner = counted;
  }
  return changed ? Condition(std::move(node)) : condition;
}

// What a reaction does to what the scenario remembers, and nothing else.
void add_memory(const Reaction& reaction, std::vector<Reaction>& out) {
  const Reaction::Node& node = reaction.node();
  const std::string counter = size_counter(node.name);
  switch (node.kind) {
    case Reaction::Kind::kCount:
    case Reaction::Kind::kRecord:
      out.push_back(reaction);
      break;
    case Reaction::Kind::kHold:
      out.push_back(ordeal::reaction(
          "hold", [counter](const Event&, ScenarioContext& ctx) { ctx.count(counter); }));
      break;
    case Reaction::Kind::kRelease:
      out.push_back(ordeal::reaction("release", [counter](const Event&, ScenarioContext& ctx) {
        ctx.count(counter, -ctx.counter(counter));
      }));
      break;
    case Reaction::Kind::kOnce: {
      std::vector<Reaction> inner;
      add_memory(node.inner[0], inner);
      for (const Reaction& one : inner) out.push_back(once(one));
      break;
    }
    default:
      break;
  }
}

// When filters had events, in messages received until then.
struct Sightings {
  uint64_t received = 0;
  std::vector<std::optional<uint64_t>> captured;  // by filter: the first event on its way
  std::vector<std::vector<uint64_t>> seen;        // by filter: all events
};

// The scenario with filters that watch.
Scenario watching(const Scenario& scenario, const std::shared_ptr<Sightings>& sightings) {
  Scenario out = scenario.without_filters();
  out.script({}).faults(Scenario::Faults::kOnlyByFilters);
  const std::vector<Filter>& filters = scenario.declaration().filters;
  sightings->captured.resize(filters.size());
  sightings->seen.resize(filters.size());
  for (size_t i = 0; i < filters.size(); ++i) {
    Filter filter{with_sizes_counted(filters[i].condition), {}, filters[i].where};
    for (const Reaction& reaction : filters[i].reactions) add_memory(reaction, filter.reactions);
    filter.reactions.push_back(
        reaction("watch", [i, sightings](const Event& event, ScenarioContext&) {
          sightings->seen[i].push_back(sightings->received);
          if (is_on_its_way(event.kind) && !sightings->captured[i]) {
            sightings->captured[i] = sightings->received;
          }
        }));
    out.filter(std::move(filter));
  }
  return out;
}

// Counts what is received.
class Deliveries : public explore::RunObserver {
 public:
  explicit Deliveries(Sightings& sightings) : sightings_(sightings) {}
  void take(World& world, uint32_t index) override {
    if (world.enabled()[index].kind == ActionKind::kDeliver) ++sightings_.received;
  }

 private:
  Sightings& sightings_;
};

// What has been possible longest is taken first: the one run without a delay.
Result<void> run_oldest_first(World& world, uint32_t most_steps, Sightings& sightings) {
  const std::unique_ptr<explore::Scheduler> scheduler = explore::delay_scheduler(0);
  Deliveries deliveries(sightings);
  explore::Driver driver(world, *scheduler, {&deliveries}, {.max_depth = most_steps});
  // A handler that fails ends this run as it ends any other.
  if (const auto end = driver.run(*scheduler->begin(0, 1)); !end) return end.error();
  return {};
}

// --- Distances ----------------------------------------------------------------------------------

const Reaction::Node& innermost(const Reaction& reaction) {
  const Reaction* at = &reaction;
  while (at->node().kind == Reaction::Kind::kOnce) at = &at->node().inner[0];
  return at->node();
}

bool releases(const Filter& filter, const std::string& set) {
  return std::any_of(filter.reactions.begin(), filter.reactions.end(), [&](const Reaction& r) {
    const Reaction::Node& node = innermost(r);
    return node.kind == Reaction::Kind::kRelease && node.name == set;
  });
}

// The strongest thing that the filter does to what it captures.
const Reaction::Node* main_reaction(const Filter& filter) {
  using Kind = Reaction::Kind;
  for (const Kind kind : {Kind::kMutate, Kind::kInject, Kind::kResend, Kind::kDuplicate,
                          Kind::kDrop, Kind::kHold, Kind::kDelay}) {
    for (const Reaction& reaction : filter.reactions) {
      if (innermost(reaction).kind == kind) return &innermost(reaction);
    }
  }
  return nullptr;
}

FilterDistance distance_of(const Declaration& scenario, size_t index, const Sightings& sightings) {
  FilterDistance out;
  out.filter = index;
  out.captures = sightings.captured[index].has_value();
  const Reaction::Node* main = main_reaction(scenario.filters[index]);
  if (main == nullptr) return out;
  const uint64_t first = sightings.captured[index].value_or(0);
  switch (main->kind) {
    case Reaction::Kind::kMutate:
    case Reaction::Kind::kInject:
      out.kind = FilterDistance::Kind::kByzantine;
      out.infinite = true;
      // What is invented need not be an answer to something on its way.
      out.captures = !sightings.seen[index].empty();
      return out;
    case Reaction::Kind::kResend:
    case Reaction::Kind::kDuplicate:
      out.infinite = true;
      return out;
    case Reaction::Kind::kDrop:
      out.kind = FilterDistance::Kind::kDrop;
      if (out.captures) out.messages = sightings.received - first;
      return out;
    case Reaction::Kind::kDelay:
      out.kind = FilterDistance::Kind::kReorder;
      if (out.captures) {
        out.messages = std::min<uint64_t>(main->number, sightings.received - first);
      }
      return out;
    default:
      break;
  }
  out.kind = FilterDistance::Kind::kReorder;
  if (!out.captures) return out;
  // Released by whichever filter comes first, or by the end of the run.
  out.messages = sightings.received - first;
  for (size_t i = 0; i < scenario.filters.size(); ++i) {
    if (!releases(scenario.filters[i], main->name)) continue;
    for (const uint64_t seen : sightings.seen[i]) {
      if (seen < first) continue;
      if (out.release >= 0 && seen - first >= out.messages) break;
      out.release = static_cast<int>(i);
      out.messages = seen - first;
      break;
    }
  }
  return out;
}

// --- Leaving out --------------------------------------------------------------------------------

// The scenario with filters that never match: names that they make known stay known. An empty
// `only`: all of them.
Scenario leaving_out(const Scenario& scenario, std::optional<size_t> only) {
  Scenario out = scenario.without_filters();
  const std::vector<Filter>& filters = scenario.declaration().filters;
  for (size_t i = 0; i < filters.size(); ++i) {
    Filter filter = filters[i];
    if (!only || *only == i) {
      filter.condition =
          filter.condition &&
          condition("left out", [](const Event&, const ScenarioContext&) { return false; });
    }
    out.filter(std::move(filter));
  }
  return out;
}

Result<ScenarioReport> run_without(const Scenario& scenario, std::optional<size_t> only,
                                   const Checkable& subject, const Options& options) {
  std::vector<bool> left_out(scenario.declaration().filters.size(), !only);
  if (only) left_out[*only] = true;
  return explore::run_scenario(leaving_out(scenario, only), subject, options, left_out);
}

// The bounds of what is left of the time. "": there is some.
std::string cut_time(const Options& options, const explore::Pace& clock, Options& out) {
  out = options;
  if (options.stop != nullptr && options.stop->load()) return "interrupted";
  if (options.max_seconds <= 0) return "";
  out.max_seconds = options.max_seconds - clock.seconds();
  return out.max_seconds > 0 ? "" : "the time is over";
}

}  // namespace

Result<std::vector<FilterDistance>> filter_distances(const Scenario& scenario,
                                                     const Checkable& subject) {
  if (const auto valid = subject.validate(); !valid) return valid.error();
  if (const auto valid = validate(scenario, subject); !valid) return valid.error();
  const auto sightings = std::make_shared<Sightings>();
  const auto monitor = monitor::Monitor::make(watching(scenario, sightings), subject);
  if (!monitor) return monitor.error();
  monitor::MonitoredWorld world(*monitor, subject.world());
  const uint32_t declared = scenario.declaration().max_steps;
  const uint32_t most_steps = declared == 0 ? explore::kDefaultRunDepth : declared;
  Result<void> done;
  const std::string failure =
      guarded([&] { done = run_oldest_first(world, most_steps, *sightings); });
  if (!failure.empty()) {
    return Error{"a property, or a function of the scenario's own, failed: " + failure};
  }
  if (!done) return done.error();
  std::vector<FilterDistance> out;
  for (size_t i = 0; i < scenario.declaration().filters.size(); ++i) {
    out.push_back(distance_of(scenario.declaration(), i, *sightings));
  }
  return out;
}

Result<Ablation> ablate(const Scenario& scenario, const Checkable& subject,
                        const Options& options) {
  const explore::Pace clock(options);
  const auto distances = filter_distances(scenario, subject);
  if (!distances) return distances.error();
  Ablation out;
  Options bounded;
  out.stopped = cut_time(options, clock, bounded);
  Result<ScenarioReport> whole = run(scenario, subject, bounded);
  if (!whole) return whole.error();
  out.whole = std::move(*whole);
  for (size_t i = 0; i < distances->size(); ++i) {
    if (out.stopped = cut_time(options, clock, bounded); !out.stopped.empty()) return out;
    out.rows.push_back({i, show(scenario.declaration().filters[i]), (*distances)[i],
                        run_without(scenario, i, subject, bounded)});
  }
  if (out.stopped = cut_time(options, clock, bounded); !out.stopped.empty()) return out;
  out.bare = run_without(scenario, std::nullopt, subject, bounded);
  return out;
}

}  // namespace ordeal
