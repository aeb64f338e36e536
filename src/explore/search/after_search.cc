#include "explore/search/after_search.h"

#include <algorithm>

#include "explore/liveness/liveness.h"
#include "explore/search/cycles.h"

namespace ordeal::explore {

bool look_for_cycles(const AfterSearch& after) {
  Exploration& out = after.out;
  after.pace.say("looking for cycles");
  CycleSearchTask task{after.space, after.roots, after.options, after.pace, out};
  task.held_bytes = after.s.bytes();
  task.most_bytes = after.memory_to_keep;
  task.any_step = after.plan.any_step;
  CycleSearchResult found = find_cycle_in_memory(task);
  out.bytes = std::max(out.bytes, found.bytes);
  if (found.too_large && !after.options.spill.empty()) {
    found = find_cycle_on_disk(task, after.s.ancestry, after.s.dropped);
    out.notes.push_back("looked for cycles of progress actions on disk");
    out.bytes = std::max(out.bytes, found.bytes);
  }
  out.cycle = found.cycle;
  out.cycle_unknown = found.stopped;
  return !found.stopped;
}

bool look_for_runs(const AfterSearch& after, const Liveness& liveness) {
  Exploration& out = after.out;
  std::vector<uint32_t> open = std::move(out.open_on_runs);
  out.open_on_runs.clear();
  const auto only_those_of_states = [&] {
    std::erase_if(open,
                  [&](uint32_t property) { return !after.space.properties()[property].on_runs; });
  };
  // Where there is no cycle at all, that some runs never end need not be known. Of what lies on
  // disk the graph of states hardly fits into memory: that is found out before it is tried.
  const bool ends_matter = !liveness.stutters && after.plan.has_eventually;
  const bool on_disk = out.disk_bytes > 0 && ends_matter;
  bool goes_round = false;
  if (on_disk) {
    look_for_cycles(after);
    goes_round = out.cycle;
    if (!out.cycle && !out.cycle_unknown) only_those_of_states();
    if (open.empty()) return true;
    out.cycle = false;
    out.cycle_unknown.reset();
  }
  Liveness asked = liveness;
  std::erase_if(asked.claims, [&](const Liveness::Claim& claim) {
    return std::find(open.begin(), open.end(), claim.property) == open.end();
  });
  // Whatever lies on disk by now: it has all the memory that there is.
  decide_on_runs({after.space, asked, after.roots, after.options, after.pace, after.s.bytes(),
                  after.pace.max_bytes()},
                 out);
  if (!out.error.empty()) return true;
  std::erase_if(open, [&](uint32_t property) {
    const std::vector<uint32_t>& known = out.decided_on_runs;
    return std::find(known.begin(), known.end(), property) != known.end();
  });
  out.open_on_runs = open;
  if (!out.runs_unknown) return true;
  const bool too_large = out.runs_unknown->kind == Bound::Kind::kMemory;
  if (!too_large || !ends_matter || on_disk) {
    out.cycle = goes_round;
    return false;
  }
  const bool found_out = look_for_cycles(after);
  if (out.cycle || out.cycle_unknown) return found_out;
  only_those_of_states();
  out.open_on_runs = std::move(open);
  return found_out;
}

}  // namespace ordeal::explore
