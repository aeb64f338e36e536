// Go-MC's prefix scheduler: keeps the prefixes that were seen but not followed, and follows each
// once, until none is left: every run, exactly once.
#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>

#include "base/mutant.h"
#include "base/rng.h"
#include "explore/run/runs.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {
namespace {

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

// A run follows a prefix, then goes on to its end, and leaves its alternatives waiting.
class PrefixScheduler : public Scheduler {
 public:
  explicit PrefixScheduler(const Options& options)
      : rng_(options.seed), random_(options.pick == "random"), guided_(options.guide.has_value()) {}

  std::optional<uint32_t> begin(uint64_t run, uint32_t initials) override {
    if (run == 0) {
      for (uint32_t i = guided_ ? 1 : initials; i-- > 0;) {
        waiting_.add(tree_.add(PrefixTree::kRoot, i), 0);
      }
    }
    if (waiting_.empty()) return std::nullopt;
    at_ = waiting_.take(random_ ? &rng_ : nullptr);
    tree_.path(at_, choices_);
    followed_ = 1;
    length_ = 0;
    return choices_[0];
  }

  void take(World&, uint32_t) override { ++length_; }

  uint32_t pick(World& world) override {
    if (followed_ < choices_.size()) return choices_[followed_++];
    const uint32_t count = static_cast<uint32_t>(world.enabled().size());
    if (!tree_.has_room(count)) {
      full_ = true;
      return kEnd;
    }
    const bool ends = may_end(world);
    const uint32_t pick = ends ? count : (random_ ? static_cast<uint32_t>(rng_.below(count)) : 0);
    // The first of those left is to be taken first: the last in, first out.
    for (uint32_t i = count; i-- > 0;) {
      if (i + 1 == count && mutant(Mutant::kPrefixForgets)) continue;
      if (i != pick) waiting_.add(tree_.add(at_, i), length_ + 1);
    }
    if (ends) return kEnd;
    at_ = tree_.add(at_, pick);
    return pick;
  }

  bool retraces() const override { return followed_ < choices_.size(); }
  void end(World&, const ShortForm&, RunEnd) override { tree_.release(at_); }

  bool covers_everything() const override { return true; }
  uint64_t waiting() const override { return waiting_.size(); }
  uint64_t bytes() const override { return tree_.bytes() + waiting_.bytes(); }
  std::optional<Bound> gave_up() const override {
    if (!full_) return std::nullopt;
    return Bound{.kind = Bound::Kind::kSize, .text = "more prefixes than can be numbered"};
  }

 private:
  Rng rng_;
  const bool random_;
  const bool guided_;
  PrefixTree tree_;
  WaitingPrefixes waiting_;
  uint32_t at_ = PrefixTree::kRoot;  // the run so far, or the prefix that it follows
  std::vector<uint32_t> choices_;    // of the prefix; the first is the initial state
  size_t followed_ = 0;              // … of which so many were
  size_t length_ = 0;                // of the run
  bool full_ = false;
};

}  // namespace

Strategy prefix_strategy() {
  StrategyOption pick;
  pick.name = pick.field = "pick";
  pick.noun = "a way to pick";
  pick.value = "HOW";
  pick.what = "which waiting prefix comes next, first or random";
  pick.kind = StrategyOption::Kind::kWord;
  pick.words = {"first", "random"};
  pick.fallback = "first";
  pick.kept_in(&Options::pick);

  Strategy strategy;
  strategy.name = "prefix";
  strategy.what = "every run, one by one, by its unexplored prefixes (see --pick)";
  strategy.preserves = "everything";
  strategy.kept = claims_of_all(Kept::kYes);
  strategy.options = {pick};
  strategy.forms = {{"prefix-random", {{"pick", "random"}}, true}};
  strategy.explore = [](Ground& ground, const Options& options) {
    PrefixScheduler scheduler(options);
    return explore_by(scheduler, ground.world(), options);
  };
  strategy.joins = [](const Options& options, World&) -> Result<std::unique_ptr<Scheduler>> {
    return std::unique_ptr<Scheduler>(std::make_unique<PrefixScheduler>(options));
  };
  return strategy;
}

}  // namespace ordeal::explore
