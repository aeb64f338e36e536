#include "serve/walks.h"

#include <algorithm>

#include "base/guard.h"

namespace ordeal::serve {
namespace {

constexpr size_t kMostRunsKept = 16;
constexpr size_t kMostSteps = 400'000;  // of all that are kept

}  // namespace

Trace with_states(const Suite& suite, Trace trace) {
  if (!trace.initial_parts.empty() || !trace.source.empty()) return trace;
  const Address address = address_of(trace);
  const Result<Chosen> chosen = choose(suite, address);
  if (!chosen) return trace;
  Trace out = trace;
  // What cannot be run again can still be looked at as it is.
  const std::string failure = guarded([&] {
    const Result<ReplayResult> replayed = replay(chosen->explored(), trace);
    if (!replayed || !replayed->reproduced) return;
    Options options;
    options.states = true;
    const Result<Trace> again =
        record(chosen->explored(), address_of(replayed->trace).way, options);
    if (!again || again->steps.size() != trace.steps.size()) return;
    out.initial_parts = again->initial_parts;
    for (size_t i = 0; i < out.steps.size(); ++i) out.steps[i].parts = again->steps[i].parts;
  });
  return failure.empty() ? out : trace;
}

Result<void> Walks::visit(const Address& address, const Visit& visit) {
  Result<std::shared_ptr<Line>> line = take(address);
  if (!line) return line.error();
  explore::Walk& walk = *(*line)->walk;
  Result<void> done;
  // Properties and raw models are somebody's code.
  const std::string failure = guarded([&] {
    done = walk.go(address.way);
    if (!done) {
      done = Error{"address.short: " + done.error().message};
    } else {
      done = visit(walk);
    }
  });
  // What such a failure leaves behind is not used again.
  if (!failure.empty()) return Error{"a property or the model itself failed: " + failure};
  put_back(std::move(*line));
  return done;
}

Result<std::shared_ptr<Walks::Line>> Walks::take(const Address& address) {
  const std::string key = subject_key(address);
  {
    const std::lock_guard lock(mutex_);
    auto best = idle_.end();
    for (auto at = idle_.begin(); at != idle_.end(); ++at) {
      const Line& line = **at;
      if (line.key != key || !line.walk->leads_to(address.way)) continue;
      if (best == idle_.end() || line.steps() > (*best)->steps()) best = at;
    }
    if (best != idle_.end()) {
      std::shared_ptr<Line> line = *best;
      idle_.erase(best);
      return line;
    }
  }
  return begin(address);
}

Result<std::shared_ptr<Walks::Line>> Walks::begin(const Address& address) const {
  Result<Chosen> chosen = choose(suite_, address, "address.");
  if (!chosen) return chosen.error();
  const auto line = std::make_shared<Line>();
  line->key = subject_key(address);
  line->chosen = *std::move(chosen);
  Options options;
  line->chosen.label(options);
  options.strategy = "explore";
  options.states = true;
  line->walk = std::make_unique<explore::Walk>(line->chosen.explored(), options);
  line->walk->label(line->chosen.scenario, line->chosen.free_faults);
  return line;
}

void Walks::put_back(std::shared_ptr<Line> line) {
  const std::lock_guard lock(mutex_);
  idle_.push_front(std::move(line));
  size_t steps = 0;
  size_t kept = 0;
  for (const auto& one : idle_) {
    steps += one->steps();
    // Even one that is too long: it is the one that is looked at.
    if (kept > 0 && (kept == kMostRunsKept || steps > kMostSteps)) break;
    ++kept;
  }
  idle_.resize(kept);
}

}  // namespace ordeal::serve
