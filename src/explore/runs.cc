#include "explore/runs.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>

#include "base/guard.h"
#include "base/mutant.h"
#include "base/rng.h"
#include "base/watch.h"
#include "explore/failures.h"
#include "explore/run_memory.h"
#include "explore/visited.h"

namespace ordeal::explore {
namespace {

// What all of them share: taking steps, judging states, keeping count.
class Runner {
 public:
  // Where there is a scheduler, it hears of every step.
  Runner(World& world, const Options& options, Scheduler* scheduler)
      : world_(world),
        options_(options),
        scheduler_(scheduler),
        pace_(options, world.properties()),
        visited_(std::make_unique<VisitedSet>()),
        is_value_(world.is_value()),
        memory_(world, *visited_, pace_.max_bytes()) {
    out_.stored_states = true;  // for counting distinct states
    out_.reached_depth.assign(world.properties().size(), -1);
    max_depth_ = options.max_depth > 0 ? options.max_depth : kDefaultRunDepth;
  }

  // Starts a run and follows the guide, if there is one. False: it is over; see out_.error.
  bool begin(uint32_t initial) {
    path_.initial = options_.guide ? options_.guide->initial : initial;
    path_.choices.clear();
    const Result<void> started = world_.reset(path_.initial);
    if (!started) {
      out_.error = started.error().message;
      return false;
    }
    ++out_.runs;
    if (!arrive()) return false;
    if (!options_.guide) return true;
    for (size_t i = 0; i < options_.guide->choices.size(); ++i) {
      const uint32_t choice = options_.guide->choices[i];
      if (choice >= world_.enabled().size()) {
        out_.error = "the guide cannot be followed at step " + std::to_string(i + 1) +
                     ": it takes action " + std::to_string(choice) + " of " +
                     std::to_string(world_.enabled().size());
        return false;
      }
      if (!step(choice)) return true;
    }
    return true;
  }

  // Takes an action. False: the run is over (the subject failed, or the state is out of bounds).
  bool step(uint32_t index) {
    const Watched watched;
    const bool known_prefix = following_;
    path_.choices.push_back(index);
    if (scheduler_ != nullptr) scheduler_->take(world_, index);
    const uint16_t sort = world_.enabled()[index].sort;
    const Result<void> done = world_.apply(index);
    if (!known_prefix) {
      ++out_.transitions;
      out_.steps.add(sort);
    }
    if (!done) {
      if (!known_prefix) {
        found(kNoFailure, options_.keep_going ? failure_kind(world_, path_) : 0);
      }
      return false;
    }
    return arrive();
  }

  // Judges the state just reached. False: outside the constraint.
  bool arrive() {
    const Watched watched;
    if (following_) return true;  // seen and judged in an earlier run
    if (!world_.within()) return false;
    if (scheduler_ != nullptr) scheduler_->arrive(world_);
    ++out_.states;
    out_.depth = std::max(out_.depth, static_cast<uint32_t>(path_.choices.size()));
    const bool is_new = visited_->put(world_.fingerprint()).is_new;
    if (is_new) ++out_.distinct_states;
    if (!is_new && is_value_) return true;  // equal states are judged alike
    const bool terminal = may_end(world_);
    if (terminal && is_new) ++out_.terminal_states;
    judgement_.clear();
    world_.judge(terminal, judgement_);
    for (uint32_t property : judgement_.violated) found(property);
    for (uint32_t property : judgement_.reached) {
      int64_t& known = out_.reached_depth[property];
      const int64_t depth = static_cast<int64_t>(path_.choices.size());
      if (known < 0 || depth < known) known = depth;
    }
    return true;
  }

  void found(uint32_t property, uint64_t failure = 0) {
    Finding* first = out_.found(property, failure);
    if (first == nullptr) return;
    first->path = path_;
    first->fails = property == kNoFailure;
  }

  // Whether to go on with another run. `bytes`: what the strategy holds itself.
  bool go_on(uint64_t queue, uint64_t bytes) {
    if (!out_.findings.empty() && !options_.keep_going) {
      out_.bounds = {"stopped at the first violation"};
      return false;
    }
    if (!out_.error.empty()) return false;
    if (options_.max_states > 0 && out_.distinct_states >= options_.max_states) {
      out_.bound(count_text(options_.max_states) + " states");
      return false;
    }
    const std::string stop = pace_.look(out_, queue, memory_.look(bytes, out_.transitions));
    if (stop.empty()) return true;
    out_.bound(stop);
    return false;
  }

  // Does the work of a strategy, whatever becomes of the code that it runs.
  template <class F>
  void work(const F& all_of_it) {
    const std::string failure = guarded(all_of_it);
    if (!failure.empty()) break_off(failure, path_, out_);
  }

  Exploration finish(uint64_t bytes) {
    out_.table_bytes = visited_->bytes();
    out_.bytes = memory_.most(bytes);
    return std::move(out_);
  }

  World& world_;
  const Options& options_;
  Scheduler* const scheduler_;
  Pace pace_;
  std::unique_ptr<VisitedSet> visited_;
  const bool is_value_;
  RunMemory memory_;
  Judgement judgement_;
  ShortForm path_;
  uint32_t max_depth_;
  bool following_ = false;  // a prefix that earlier runs went through
  Exploration out_;
};

// The unexplored prefixes: a tree of actions that were seen, each knowing what came before it.
class PrefixTree {
 public:
  static constexpr uint32_t kRoot = ~0U;

  // REQUIRES: has_room(1).
  uint32_t add(uint32_t parent, uint32_t choice) {
    if (parent != kRoot) ++nodes_[parent].uses;
    if (free_ == kRoot) {
      nodes_.push_back({parent, choice, 0});
      return static_cast<uint32_t>(nodes_.size()) - 1;
    }
    const uint32_t at = free_;
    free_ = nodes_[at].parent;
    nodes_[at] = {parent, choice, 0};
    return at;
  }

  // Forgets a node that nothing builds on any more, and what only it built on.
  void release(uint32_t at) {
    while (at != kRoot && nodes_[at].uses == 0) {
      const uint32_t parent = nodes_[at].parent;
      nodes_[at].parent = std::exchange(free_, at);
      if (parent != kRoot) --nodes_[parent].uses;
      at = parent;
    }
  }

  // The choices from the start to `at`; the first is the initial state.
  void path(uint32_t at, std::vector<uint32_t>& out) const {
    out.clear();
    for (; at != kRoot; at = nodes_[at].parent) out.push_back(nodes_[at].choice);
    std::reverse(out.begin(), out.end());
  }

  // Whether so many more can be numbered.
  bool has_room(size_t count) const { return nodes_.size() + count < kRoot; }
  uint64_t bytes() const { return nodes_.size() * sizeof(Node); }

 private:
  struct Node {
    uint32_t parent;  // of one that is free: the next that is
    uint32_t choice;  // at the root: the initial state
    uint32_t uses;    // nodes that build on it
  };
  std::deque<Node> nodes_;  // growing copies nothing
  uint32_t free_ = kRoot;
};

// Prefixes that wait to be followed, by length. In order, the longest and newest is next: depth
// first. At random, a length is drawn, then a prefix of that length: nearly all prefixes are long,
// and drawing among all alike would vary the ends of the first run for ever.
class WaitingPrefixes {
 public:
  void add(uint32_t prefix, size_t length) {
    if (length >= by_length_.size()) by_length_.resize(length + 1);
    if (by_length_[length].empty()) lengths_.insert(length);
    by_length_[length].push_back(prefix);
    ++size_;
  }

  // REQUIRES: !empty().
  uint32_t take(Rng* rng) {
    auto length = std::prev(lengths_.end());
    if (rng != nullptr) length = std::next(lengths_.begin(), rng->below(lengths_.size()));
    std::vector<uint32_t>& prefixes = by_length_[*length];
    if (rng != nullptr) std::swap(prefixes[rng->below(prefixes.size())], prefixes.back());
    const uint32_t prefix = prefixes.back();
    prefixes.pop_back();
    --size_;
    if (prefixes.empty()) lengths_.erase(length);
    return prefix;
  }

  bool empty() const { return size_ == 0; }
  uint64_t size() const { return size_; }
  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const std::vector<uint32_t>& prefixes : by_length_) {
      sum += sizeof prefixes + prefixes.capacity() * sizeof(uint32_t);
    }
    return sum;
  }

 private:
  std::vector<std::vector<uint32_t>> by_length_;
  std::set<size_t> lengths_;  // that have prefixes
  uint64_t size_ = 0;
};

class PrefixStrategy : Runner {
 public:
  PrefixStrategy(World& world, const Options& options)
      : Runner(world, options, nullptr), rng_(options.seed), random_(options.pick == "random") {}

  Exploration run() {
    work([&] { follow_all(); });
    return finish(bytes());
  }

 private:
  void follow_all() {
    const uint32_t initial = options_.guide ? 1 : world_.initial_count();
    if (initial == 0) {
      begin(0);  // for its error
      return;
    }
    for (uint32_t i = initial; i-- > 0;) waiting_.add(tree_.add(PrefixTree::kRoot, i), 0);
    while (!waiting_.empty()) {
      if (options_.max_runs > 0 && out_.runs >= options_.max_runs) {
        out_.bound(count_text(options_.max_runs) + " runs");
        break;
      }
      if (!go_on(waiting_.size(), bytes()) || !one_run(waiting_.take(random_ ? &rng_ : nullptr))) {
        break;
      }
    }
    // A violation in the very last run stops nothing, but what was not reported is not complete.
    if (!out_.findings.empty() && !options_.keep_going && out_.bounds.empty() &&
        !waiting_.empty()) {
      out_.bound("stopped at the first violation");
    }
  }

  uint64_t bytes() const { return tree_.bytes() + waiting_.bytes(); }

  // Follows the prefix, then goes on to the end of the run; leaves the alternatives waiting. False:
  // it is over.
  bool one_run(uint32_t prefix) {
    tree_.path(prefix, choices_);
    following_ = choices_.size() > 1;
    bool alive = begin(choices_[0]);
    if (!out_.error.empty()) return false;
    for (size_t i = 1; alive && i < choices_.size(); ++i) {
      following_ = i + 1 < choices_.size();
      alive = step(choices_[i]);
    }
    following_ = false;
    uint32_t at = prefix;
    while (alive) {
      if (!out_.findings.empty() && !options_.keep_going) break;
      const size_t count = world_.enabled().size();
      if (count == 0) break;
      if (path_.choices.size() >= max_depth_) {
        out_.bound("depth " + count_text(max_depth_));
        break;
      }
      if (!tree_.has_room(count)) {
        out_.bound("more prefixes than can be numbered");
        return false;
      }
      const bool ends = may_end(world_);
      const uint32_t pick = ends ? static_cast<uint32_t>(count)
                                 : (random_ ? static_cast<uint32_t>(rng_.below(count)) : 0);
      // The first of those left is to be taken first: the last in, first out.
      for (uint32_t i = static_cast<uint32_t>(count); i-- > 0;) {
        if (i + 1 == count && mutant(Mutant::kPrefixForgets)) continue;
        if (i != pick) waiting_.add(tree_.add(at, i), path_.choices.size() + 1);
      }
      if (ends) break;
      at = tree_.add(at, pick);
      alive = step(pick);
      if (!alive || out_.transitions % 1024 == 0) {
        const std::string stop = pace_.look(out_, waiting_.size(), tree_.bytes());
        if (!stop.empty()) {
          // The rest of this run was not seen.
          out_.bound(stop);
          return false;
        }
      }
    }
    tree_.release(at);
    return out_.error.empty();
  }

  Rng rng_;
  bool random_;
  PrefixTree tree_;
  WaitingPrefixes waiting_;
  std::vector<uint32_t> choices_;
};

// Every run is picked step by step by a scheduler.
class ScheduledStrategy : Runner {
 public:
  ScheduledStrategy(Scheduler& scheduler, World& world, const Options& options)
      : Runner(world, options, &scheduler) {}

  Exploration run() {
    out_.exhaustive = false;
    work([&] { follow_scheduler(); });
    for (std::string& note : scheduler_->notes()) out_.notes.push_back(std::move(note));
    return finish(scheduler_->bytes());
  }

 private:
  void follow_scheduler() {
    const bool is_endless = scheduler_->covers().empty();
    const uint64_t most =
        options_.max_runs == 0 && is_endless ? kDefaultRandomRuns : options_.max_runs;
    const uint32_t initials = std::max<uint32_t>(1, world_.initial_count());
    while (go_on(0, scheduler_->bytes())) {
      if (most > 0 && out_.runs >= most) {
        out_.bound(count_text(most) + " runs");
        break;
      }
      const std::optional<uint32_t> initial = scheduler_->begin(out_.runs, initials);
      if (!initial) {
        out_.bound(scheduler_->covers());
        break;
      }
      one_run(*initial);
    }
  }

  void one_run(uint32_t initial) {
    bool alive = begin(initial);
    while (alive && out_.error.empty()) {
      if (!out_.findings.empty() && !options_.keep_going) return;
      if (world_.enabled().empty()) return;
      if (path_.choices.size() >= max_depth_) {
        out_.bound("depth " + count_text(max_depth_));
        return;
      }
      const uint32_t pick = scheduler_->pick(world_);
      if (pick == Scheduler::kEnd) return;
      alive = step(pick);
    }
  }
};

}  // namespace

Exploration explore_prefixes(World& world, const Options& options) {
  return std::make_unique<PrefixStrategy>(world, options)->run();
}

Exploration explore_by(Scheduler& scheduler, World& world, const Options& options) {
  return std::make_unique<ScheduledStrategy>(scheduler, world, options)->run();
}

}  // namespace ordeal::explore
