#include "explore/explain/follow.h"

#include <algorithm>

#include "base/mutant.h"

namespace ordeal {
namespace explore {

std::optional<uint32_t> find_action(World& world, const Action& action, uint32_t hint) {
  const auto count = static_cast<uint32_t>(world.enabled().size());
  const auto is_it = [&](uint32_t i) {
    return world.enabled()[i].kind == action.kind && same_identity(world.action(i), action);
  };
  if (hint < count && (is_it(hint) || mutant(Mutant::kFollowsNumbers))) return hint;
  for (uint32_t i = 0; i < count; ++i) {
    if (is_it(i)) return i;
  }
  return std::nullopt;
}

std::string list_enabled(World& world) {
  constexpr uint32_t kMost = 8;
  const auto count = static_cast<uint32_t>(world.enabled().size());
  if (count == 0) return "nothing is enabled";
  std::string text = "enabled are: ";
  for (uint32_t i = 0; i < std::min(count, kMost); ++i) {
    text += (i > 0 ? "; " : "") + show(world.action(i));
  }
  if (count > kMost) text += "; and " + std::to_string(count - kMost) + " more";
  return text;
}

}  // namespace explore

Result<ShortForm> follow(const Checkable& subject, const Trace& trace) {
  if (const auto valid = subject.validate(); !valid) return valid.error();
  const std::unique_ptr<World> world = subject.world();
  ShortForm out;
  out.initial = trace.initial;
  const uint32_t count = world->initial_count();
  if (trace.initial >= count) {
    return Error{"the run starts in initial state " + std::to_string(trace.initial) +
                 ", but there are " + std::to_string(count) + ", numbered from 0"};
  }
  if (const auto started = world->reset(trace.initial); !started) return started.error();
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    const std::optional<uint32_t> index =
        explore::find_action(*world, step.detail.action, step.choice);
    if (!index) {
      return Error{"step " + std::to_string(i + 1) + " cannot be taken: " +
                   show(step.detail.action) + " is not enabled; " + explore::list_enabled(*world)};
    }
    out.choices.push_back(*index);
    const Result<void> done = world->apply(*index);
    if (done) continue;
    if (i + 1 == trace.steps.size()) break;  // the run may end in a failure
    return Error{"step " + std::to_string(i + 1) + " (" + show(step.detail.action) +
                 ") fails, and the run goes on there: " + done.error().message};
  }
  return out;
}

}  // namespace ordeal
