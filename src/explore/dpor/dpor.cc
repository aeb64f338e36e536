#include "explore/dpor/dpor.h"

#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "base/guard.h"
#include "base/mutant.h"
#include "base/text.h"
#include "base/watch.h"
#include "explore/dpor/dpor_steps.h"
#include "explore/dpor/dpor_tree.h"
#include "explore/run/runs.h"
#include "explore/store/visited.h"
#include "explore/strategy/failures.h"

namespace ordeal::explore {
namespace {

// Which earlier events of a run come before an event in every run of its partial order.
class Past {
 public:
  void clear() { words_.clear(); }
  bool has(size_t event) const {
    return event / 64 < words_.size() && (words_[event / 64] >> (event % 64) & 1) != 0;
  }
  void add(size_t event, const Past& before) {
    words_.resize(std::max({words_.size(), before.words_.size(), event / 64 + 1}));
    for (size_t i = 0; i < before.words_.size(); ++i) words_[i] |= before.words_[i];
    words_[event / 64] |= uint64_t{1} << (event % 64);
  }

 private:
  std::vector<uint64_t> words_;
};

// What could be instead of an event after so many steps of the rest, and after no more of them.
struct Ending {
  size_t at = 0;
  uint64_t key = 0;
};

// A place of the current run, and the event that was taken from it.
struct Frame {
  Place place;
  std::vector<uint64_t> asleep;  // actions that need not be taken first here, explored ones too
  std::vector<Branch> wake;
  bool begun = false;
  Act taken;
  Past past;  // of `taken`
  // The rest of the run as far as it does not depend on `taken`, without it: which events, and
  // where each leads. Kept from run to run as far as the runs are the same.
  std::vector<size_t> rest;
  std::deque<Place> rest_places;
  std::vector<Ending> ends;
};

class TraceStrategy {
 public:
  TraceStrategy(Steps& steps, const std::vector<Property>& properties, const Options& options,
                const RunSeen& run_seen)
      : steps_(steps),
        options_(options),
        run_seen_(run_seen),
        pace_(options, properties),
        tree_(steps) {
    out_.stored_states = true;  // for counting distinct states
    out_.reached_depth.assign(properties.size(), -1);
    max_depth_ = options.max_depth > 0 ? options.max_depth : kDefaultRunDepth;
  }

  Exploration run() {
    initial_count_ = options_.guide ? 1 : steps_.initial_count();
    if (initial_count_ == 0) {
      Place nowhere;
      out_.error = steps_.start(0, nowhere);
    }
    const std::string failure = guarded([&] {
      for (uint32_t i = 0; i < initial_count_ && go_on_; ++i) {
        initial_ = options_.guide ? options_.guide->initial : i;
        if (begin()) explore();
      }
    });
    if (out_.trouble) {
      out_.bounds = {{Bound::Kind::kTrouble}};
    } else if (!failure.empty()) {
      break_off(failure, path({}), out_);
    }
    if (out_.error.empty() && !out_.trouble && !out_.findings.empty() && !options_.keep_going) {
      out_.bounds = {{Bound::Kind::kViolation}};
    }
    if (out_.error.empty()) tell_kinds();
    out_.table_bytes = seen_->bytes();
    out_.bytes = std::max(out_.bytes, bytes());
    return std::move(out_);
  }

 private:
  // --- One run after the other -------------------------------------------------------------------

  bool begin() {
    depth_ = 0;
    guided_.clear();
    Frame& root = frame(0);
    out_.error = steps_.start(initial_, root.place);
    if (!out_.error.empty()) return go_on_ = false;
    arrive(root.place);
    if (options_.guide && !follow_guide(root)) return go_on_ = out_.error.empty();
    return true;
  }

  // Leaves the root at the end of the guide.
  bool follow_guide(Frame& root) {
    Place next;
    for (uint32_t choice : options_.guide->choices) {
      const Act* act = nullptr;
      for (const Act& enabled : root.place) {
        if (enabled.index == choice) act = &enabled;
      }
      if (act == nullptr) {
        out_.error = "the guide cannot be followed at step " + std::to_string(guided_.size() + 1) +
                     ": there is no action " + std::to_string(choice);
        return false;
      }
      guided_.push_back(choice);
      count(*act);
      if (const std::string failure = steps_.take(root.place, *act, next); !failure.empty()) {
        guided_.pop_back();
        found_failing(choice, root.place, *act, failure);
        return false;
      }
      std::swap(root.place, next);
      arrive(root.place);
    }
    return true;
  }

  Frame& frame(size_t depth) {
    if (depth == frames_.size()) frames_.emplace_back();
    Frame& fresh = frames_[depth];
    fresh.asleep.clear();
    fresh.wake.clear();
    fresh.begun = false;
    fresh.rest.clear();
    fresh.ends.clear();
    return fresh;
  }

  void explore() {
    while (go_on_) {
      Frame& top = frames_[depth_];
      const Act* act = next_act(top);
      if (act == nullptr) {
        if (!top.begun && depth_ > 0) ++blocked_;
        if (depth_ == 0) return;
        --depth_;
        frames_[depth_].asleep.push_back(frames_[depth_].taken.key);
        continue;
      }
      top.begun = true;
      top.taken = *act;
      top.rest.clear();
      top.ends.clear();
      fresh_from_ = std::min(fresh_from_, depth_);
      if (act->is_end() || guided_.size() + depth_ >= max_depth_) {
        finish_run(top, act->is_end());
        continue;
      }
      descend(top);
    }
  }

  // The next action to take from a place; null: there is none left.
  const Act* next_act(Frame& top) {
    while (!top.wake.empty()) {
      const Act* act = top.place.find(top.wake.front().key);
      if (act != nullptr) return act;
      top.wake.erase(top.wake.begin());  // cannot be
    }
    if (top.begun) return nullptr;
    // Nothing says where to go: progress first, then the end, then faults.
    const auto free = [&](const Act& act) { return !sleeps(top, act.key); };
    const Act* best = nullptr;
    for (const Act& act : top.place) {
      if (!free(act)) continue;
      if (act.progress) return &act;
      if (best == nullptr || act.is_end()) best = &act;
    }
    return best;
  }

  static bool sleeps(const Frame& frame, uint64_t key) {
    return std::find(frame.asleep.begin(), frame.asleep.end(), key) != frame.asleep.end();
  }

  // Takes the first branch of the tree away; what is below it is for the next place.
  static std::vector<Branch> take_branch(Frame& top) {
    if (top.wake.empty()) return {};
    std::vector<Branch> below = std::move(top.wake.front().below);
    top.wake.erase(top.wake.begin());
    return below;
  }

  void count(const Act& act) {
    ++out_.transitions;
    out_.steps.add(act.sort);
  }

  void descend(Frame& top) {
    remember_past(depth_);
    Frame& next = frame(depth_ + 1);
    next.wake = take_branch(top);
    const Watched watched;
    const Act& act = *top.place.find(top.taken.key);
    count(act);
    const std::string failure = steps_.take(top.place, act, next.place);
    if (!failure.empty()) {
      top.taken.fails = true;
      top.taken.touch.adds.clear();
      found_failing(top.taken.index, top.place, act, failure);
    }
    ++depth_;
    if (failure.empty()) arrive(next.place);
    // What sleeps here sleeps there, unless it depends on the step.
    for (uint64_t key : top.asleep) {
      const Act* sleeping = top.place.find(key);
      if (sleeping == nullptr) continue;
      if (independent(sleeping->touch, top.taken.touch) || mutant(Mutant::kSleepersStayAsleep)) {
        next.asleep.push_back(key);
      }
    }
    if (!out_.findings.empty() && !options_.keep_going) go_on_ = false;
    if (steps_.changed_its_mind()) go_on_ = false;
    if ((out_.transitions & 63) == 0) look();
  }

  void finish_run(Frame& top, bool ended) {
    remember_past(depth_);
    take_branch(top);
    ++out_.runs;
    if (!ended) {
      ++cut_;
      out_.bound({Bound::Kind::kDepth, max_depth_});
    }
    const bool any_failed = std::any_of(frames_.begin(), frames_.begin() + long(depth_),
                                        [](const Frame& f) { return f.taken.fails; });
    if (any_failed) ++failing_;
    if (run_seen_) tell_run();
    for (size_t event = 0; event <= depth_; ++event) find_others(event);
    fresh_from_ = depth_ + 1;
    frames_[depth_].asleep.push_back(frames_[depth_].taken.key);
    if (options_.max_runs > 0 && out_.runs >= options_.max_runs && more_to_do()) {
      out_.bound({Bound::Kind::kRuns, options_.max_runs});
      go_on_ = false;
    }
    look();
  }

  void tell_run() {
    std::vector<uint64_t> keys;
    for (size_t i = 0; i <= depth_; ++i) keys.push_back(frames_[i].taken.key);
    run_seen_(keys);
  }

  bool more_to_do() const {
    return initial_ + 1 < initial_count_ ||
           std::any_of(frames_.begin(), frames_.begin() + long(depth_) + 1,
                       [](const Frame& f) { return !f.wake.empty(); });
  }

  uint64_t bytes() const {
    uint64_t sum = steps_.bytes() + seen_->bytes();
    for (const Frame& frame : frames_) {
      sum += sizeof frame + frame.place.bytes() + frame.rest_places.size() * sizeof(Place);
      for (const Place& place : frame.rest_places) sum += place.bytes();
    }
    return sum;
  }

  // Memory is added up now and then only: it goes through all saved places.
  void look() {
    if (looks_++ % kLooks == 0) {
      bytes_ = bytes();
      out_.bytes = std::max(out_.bytes, bytes_);
      if (bytes_ > pace_.max_bytes()) {
        steps_.forget();
        bytes_ = bytes();
      }
    }
    const std::optional<Bound> stop = pace_.look(out_, depth_, bytes_);
    if (options_.max_states > 0 && out_.distinct_states >= options_.max_states) {
      out_.bound({Bound::Kind::kStates, options_.max_states});
      go_on_ = false;
    }
    if (!stop) return;
    out_.bound(*stop);
    go_on_ = false;
  }

  // --- What comes before what --------------------------------------------------------------------

  void remember_past(size_t event) {
    Frame& here = frames_[event];
    here.past.clear();
    for (const Footprint::Taken& taken : here.taken.touch.takes) {
      const long maker = maker_of(event, taken);
      if (maker >= 0) here.past.add(size_t(maker), frames_[size_t(maker)].past);
    }
    for (size_t i = event; i-- > 0;) {
      if (here.past.has(i)) continue;
      if (in_order(frames_[i].taken.touch, here.taken.touch)) here.past.add(i, frames_[i].past);
    }
  }

  static bool in_order(const Footprint& a, const Footprint& b) {
    if (!mutant(Mutant::kReadsHaveNoOrder)) return ordered(a, b);
    Footprint writes;
    writes.writes = a.writes;
    writes.everything = a.everything;
    Footprint others = b;
    others.reads.clear();
    return ordered(writes, others);
  }

  // Who put there the oldest unit of what is taken; -1: it was there from the start.
  long maker_of(size_t event, const Footprint::Taken& taken) const {
    // The units that are there are the last that were added.
    uint32_t younger = taken.present;
    for (size_t i = event; i-- > 0;) {
      const std::vector<uint64_t>& adds = frames_[i].taken.touch.adds;
      const auto count = static_cast<uint32_t>(std::count(adds.begin(), adds.end(), taken.thing));
      if (count >= younger) return static_cast<long>(i);
      younger -= count;
    }
    return -1;
  }

  // --- What else could have happened -------------------------------------------------------------

  // What could have come before an event of the run, or instead of it.
  void find_others(size_t event) {
    Frame& here = frames_[event];
    const size_t before = here.rest.size();
    while (!here.rest.empty() && here.rest.back() >= fresh_from_) here.rest.pop_back();
    const size_t known = here.rest.size();
    walk_.assign(1, &here.place);
    for (size_t i = 0; i < known; ++i) walk_.push_back(&here.rest_places[i]);
    // Everything that does not depend on the event, without it.
    for (size_t i = std::max(event + 1, fresh_from_); i <= depth_; ++i) {
      const Act& later = frames_[i].taken;
      if (later.is_end() || frames_[i].past.has(event)) continue;
      const Act* same = walk_.back()->find(later.key);
      if (same == nullptr) {
        // Nothing can be claimed for a world that breaks its word.
        out_.bound({.kind = Bound::Kind::kBroken,
                    .text = "an action that was said to be independent of another was not possible "
                            "without it"});
        break;
      }
      if (here.rest.size() == here.rest_places.size()) here.rest_places.emplace_back();
      Place& next = here.rest_places[here.rest.size()];
      steps_.take(*walk_.back(), *same, next);
      walk_.push_back(&next);
      here.rest.push_back(i);
    }
    // What the run before had just the same was looked at then; so were the places before the last
    // known one.
    if (event < fresh_from_ && before == known && here.rest.size() == known) return;
    std::erase_if(here.ends, [&](const Ending& ending) { return ending.at >= known; });
    const size_t ended = here.ends.size();
    for (size_t k = walk_.size(); k-- > known;) look_around(event, k);
    // What ends before goes round another rest now.
    for (size_t i = 0; i < ended; ++i) try_instead(event, here.ends[i].at, here.ends[i].key);
  }

  // In a place without the event: what is possible and depends on it?
  void look_around(size_t event, size_t k) {
    Frame& here = frames_[event];
    const Place& place = *walk_[k];
    const uint64_t self = here.taken.key;
    for (const Act& other : place) {
      if (!compete(place, other.key, self)) continue;
      if (k + 1 < walk_.size()) {
        // Where it stays so, the longest way is taken: others follow from its run.
        if (stays(*walk_[k + 1], other.key, self)) continue;
        here.ends.push_back({k, other.key});
      }
      if (mutant(Mutant::kNothingInstead) && !executed_behind(event, other.key)) continue;
      try_instead(event, k, other.key);
    }
  }

  // Instead of the event, after the first k of the rest.
  void try_instead(size_t event, size_t k, uint64_t other) {
    const Frame& here = frames_[event];
    std::vector<uint64_t>& keys = sequence_.keys;
    keys.clear();
    sequence_.places.assign(walk_.begin(), walk_.begin() + long(k) + 1);
    for (size_t i = 0; i < k; ++i) keys.push_back(frames_[here.rest[i]].taken.key);
    if (k < here.rest.size() && !mutant(Mutant::kShortWays)) go_round(here, k, other);
    keys.push_back(other);
    if (mutant(Mutant::kOnlyTheLastStep)) keys.erase(keys.begin(), keys.end() - 1);
    insert(event);
  }

  static bool stays(const Place& next, uint64_t other, uint64_t self) {
    if (mutant(Mutant::kStillPossible)) return next.find(other) != nullptr;
    return compete(next, other, self);
  }

  // Whether both are possible there, and one cannot be put after the other. Where `other` is still
  // possible it may have become independent: a handler that fails does less.
  static bool compete(const Place& place, uint64_t other, uint64_t self) {
    if (other == self) return false;
    const Act* one = place.find(other);
    const Act* two = place.find(self);
    return one != nullptr && two != nullptr && !independent(one->touch, two->touch);
  }

  // With what comes next, `other` does not compete with the event any more. The longest way where
  // it does: all that is left but for that, what depends on it, and what would do the same.
  void go_round(const Frame& here, size_t k, uint64_t other) {
    std::vector<size_t> left_out = {here.rest[k]};
    size_t used = 0;
    for (size_t i = k + 1; i < here.rest.size(); ++i) {
      const size_t event = here.rest[i];
      const Act* act = sequence_.places.back()->find(frames_[event].taken.key);
      const bool depends =
          act == nullptr || std::any_of(left_out.begin(), left_out.end(), [&](size_t earlier) {
            return frames_[event].past.has(earlier);
          });
      if (!depends) {
        if (used == round_pool_.size()) round_pool_.emplace_back();
        Place& next = round_pool_[used];
        steps_.take(*sequence_.places.back(), *act, next);
        if (compete(next, other, here.taken.key)) {
          ++used;
          sequence_.keys.push_back(act->key);
          sequence_.places.push_back(&next);
          continue;
        }
      }
      left_out.push_back(event);
    }
  }

  bool executed_behind(size_t event, uint64_t key) const {
    for (size_t i = event + 1; i <= depth_; ++i) {
      if (frames_[i].taken.key == key) return true;
    }
    return false;
  }

  // Adds `sequence_` to the tree of the event's place, unless runs of its partial order are
  // explored anyway.
  void insert(size_t event) {
    Frame& here = frames_[event];
    if (!mutant(Mutant::kSleepersIgnored)) {
      for (uint64_t asleep : here.asleep) {
        if (sequence_.weak_initial(asleep) >= 0) return;
      }
    }
    tree_.insert(sequence_, here.wake);
  }

  // --- Keeping count -----------------------------------------------------------------------------

  void arrive(const Place& place) {
    end_in_trouble();
    ++out_.states;
    const auto depth = static_cast<uint32_t>(guided_.size() + depth_);
    out_.depth = std::max(out_.depth, depth);
    if (!seen_->put(place.fingerprint).is_new) return;  // equal states are judged alike
    ++out_.distinct_states;
    if (place.terminal()) ++out_.terminal_states;
    judgement_.clear();
    steps_.judge(place, judgement_);
    end_in_trouble();
    for (uint32_t property : judgement_.violated) found(property);
    for (uint32_t property : judgement_.reached) {
      int64_t& known = out_.reached_depth[property];
      if (known < 0 || depth < known) known = depth;
    }
  }

  // Nothing is known of what lies behind: there is no run to go on with.
  void end_in_trouble() {
    if (steps_.trouble().empty()) return;
    out_.trouble.emplace();
    out_.trouble->trouble = steps_.trouble();
    out_.trouble->path = path({});
    out_.trouble->run = out_.runs;
    throw Failure(steps_.trouble());
  }

  // The choices from the start to the current place. Failures leave the state as it is: they are
  // left out, but for one in the last step.
  ShortForm path(std::optional<uint32_t> failing) const {
    ShortForm out;
    out.initial = initial_;
    out.choices = guided_;
    for (size_t i = 0; i < depth_; ++i) {
      if (!frames_[i].taken.fails) out.choices.push_back(frames_[i].taken.index);
    }
    if (failing) out.choices.push_back(*failing);
    return out;
  }

  void found(uint32_t property) {
    Finding* first = out_.found(property);
    if (first != nullptr) first->path = path(std::nullopt);
  }

  void found_failing(uint32_t choice, const Place& place, const Act& act, const std::string& why) {
    Finding* first = out_.found(
        kNoFailure, options_.keep_going ? failure_kind(steps_.action(place, act), why) : 0);
    if (first == nullptr) return;
    first->path = path(choice);
    first->fails = true;
  }

  void tell_kinds() {
    std::string note = "executions: " + grouped(out_.runs) + ", one per partial order";
    if (failing_ > 0) note += "; in " + grouped(failing_) + " a handler failed";
    if (cut_ > 0) note += "; " + grouped(cut_) + " cut by the depth";
    if (blocked_ > 0) note += "; and " + grouped(blocked_) + " that led nowhere";
    out_.notes.push_back(std::move(note));
  }

  static constexpr uint64_t kLooks = 16;

  Steps& steps_;
  const Options& options_;
  const RunSeen& run_seen_;
  Pace pace_;
  uint32_t max_depth_ = 0;
  uint32_t initial_ = 0;
  uint32_t initial_count_ = 0;
  std::vector<uint32_t> guided_;  // choices of the guide
  std::deque<Frame> frames_;      // of the current run: [0, depth_]
  size_t depth_ = 0;
  size_t fresh_from_ = 0;  // events from here on are not those of the run before
  bool go_on_ = true;
  std::unique_ptr<VisitedSet> seen_ = std::make_unique<VisitedSet>();
  uint64_t looks_ = 0;
  uint64_t bytes_ = 0;  // when it was looked at
  Judgement judgement_;
  // What find_others() and insert() work with.
  Sequence sequence_;
  std::vector<const Place*> walk_;
  std::deque<Place> round_pool_;
  WakeTree tree_;
  uint64_t cut_ = 0;
  uint64_t failing_ = 0;
  uint64_t blocked_ = 0;
  Exploration out_;
};

}  // namespace

Exploration explore_orders(StateSpace* space, World* world, const Options& options,
                           const RunSeen& run_seen) {
  const std::unique_ptr<Steps> steps = steps_of(space, world);
  const std::vector<Property>& properties =
      space != nullptr ? space->properties() : world->properties();
  for (;;) {
    Exploration explored = TraceStrategy(*steps, properties, options, run_seen).run();
    if (!steps->changed_its_mind()) return explored;
  }
}

}  // namespace ordeal::explore
