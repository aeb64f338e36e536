#include "explore/search.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cassert>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/guard.h"
#include "base/mutant.h"
#include "explore/frontier.h"
#include "explore/visited.h"

namespace ordeal::explore {
namespace {

constexpr size_t kUnit = 64;          // records that one thread expands at a time
constexpr size_t kBreadthChunks = 4;  // chunks in a round
constexpr size_t kDepthChunks = 1;
constexpr size_t kPrefetchAhead = 12;
constexpr size_t kMostChoices = 1 << 16;  // per state; what an Ancestry entry can name

struct Candidate {
  uint64_t fingerprint;
  uint32_t at;  // first word, in the unit's words
  uint32_t size;
  uint32_t parent;  // entry
  uint32_t depth;
  uint16_t choice;
  bool progress;
  bool count;  // the parent's transitions count
  VisitedSet::Answer answer;
};

struct Hit {
  uint32_t property;
  uint32_t entry;
  uint32_t step;
  bool fails;
  uint16_t choice;  // the failing one
};

// What expanding one unit gave.
struct Unit {
  std::vector<Candidate> candidates;
  std::vector<uint32_t> words;
  std::vector<Hit> hits;
  std::vector<std::pair<uint32_t, uint32_t>> reached;  // property, depth
  uint64_t transitions = 0;
  uint64_t self_loops = 0;
  uint64_t terminal = 0;
  uint64_t outside = 0;
  uint32_t depth = 0;
  bool too_many_choices = false;
  std::string error;

  void clear() {
    candidates.clear();
    words.clear();
    hits.clear();
    reached.clear();
    transitions = self_loops = terminal = outside = 0;
    depth = 0;
    too_many_choices = false;
    error.clear();
  }
};

bool declares_eventually(const StateSpace& space) {
  const std::vector<Property>& properties = space.properties();
  return std::any_of(properties.begin(), properties.end(), [](const Property& property) {
    return property.kind == PropertyKind::kEventually;
  });
}

class Search {
 public:
  Search(StateSpace& space, Order order, const Options& options)
      : space_(space),
        order_(order),
        options_(options),
        pace_(options),
        bounded_depth_first_(order == Order::kDepthFirst && options.max_depth > 0),
        has_eventually_(declares_eventually(space)),
        // Depths tell where a cycle may be, and what to expand again.
        visited_(bounded_depth_first_ || has_eventually_) {
    threads_ = options.threads > 0 ? options.threads
                                   : static_cast<int>(std::thread::hardware_concurrency());
    threads_ = std::clamp(threads_, 1, 256);
    out_.stored_states = true;
    out_.reached_depth.assign(space.properties().size(), -1);
  }

  Exploration run() {
    if (!start()) return std::move(out_);
    for (int i = 0; i < threads_; ++i) explorers_.push_back(space_.explorer());
    if (threads_ == 1) {
      while (next_round()) {
        expand(0);
        insert(0);
        if (!collect()) break;
      }
    } else {
      run_parallel();
    }
    finish();
    return std::move(out_);
  }

 private:
  bool start() {
    auto initial = space_.initial();
    if (!initial) {
      out_.error = initial.error().message;
      return false;
    }
    roots_ = std::move(*initial);
    if (options_.guide && !follow_guide()) return false;
    for (uint32_t i = 0; i < roots_.size(); ++i) {
      ++out_.states;
      if (visited_.insert(roots_[i].fingerprint, 0).found != VisitedSet::Found::kNew) continue;
      const uint32_t entry = ancestry_.add(Ancestry::kRoot, static_cast<uint16_t>(i));
      current_.push(roots_[i].fingerprint, entry, 0, true, true, roots_[i].state);
      ++out_.distinct_states;
    }
    return true;
  }

  // Replaces the initial states by the one that the guide leads to.
  bool follow_guide() {
    const ShortForm& guide = *options_.guide;
    if (guide.initial >= roots_.size()) {
      out_.error = "the guide starts in initial state " + std::to_string(guide.initial) +
                   ", but there are " + std::to_string(roots_.size());
      return false;
    }
    StateSpace::Initial state = roots_[guide.initial];
    auto explorer = space_.explorer();
    for (size_t i = 0; i < guide.choices.size(); ++i) {
      std::vector<Choice> choices;
      explorer->enumerate(state.state, choices);
      if (guide.choices[i] >= choices.size() || choices[guide.choices[i]].fails) {
        out_.error = "the guide cannot be followed at step " + std::to_string(i + 1) +
                     ": it takes action " + std::to_string(guide.choices[i]) + " of " +
                     std::to_string(choices.size());
        return false;
      }
      std::vector<uint32_t> next;
      state.fingerprint =
          explorer->apply(state.state, state.fingerprint, choices[guide.choices[i]], next);
      state.state = std::move(next);
    }
    roots_ = {std::move(state)};
    return true;
  }

  void run_parallel() {
    // Workers take part in phases; this thread also decides between them.
    std::barrier<> gate(threads_);
    bool stop = false;
    const auto work = [&](int self) {
      for (;;) {
        gate.arrive_and_wait();
        if (stop) return;
        expand(self);
        gate.arrive_and_wait();
        insert(self);
        gate.arrive_and_wait();
      }
    };
    std::vector<std::jthread> workers;
    for (int i = 1; i < threads_; ++i) workers.emplace_back(work, i);
    for (;;) {
      stop = !next_round();
      gate.arrive_and_wait();
      if (stop) return;
      expand(0);
      gate.arrive_and_wait();
      insert(0);
      gate.arrive_and_wait();
      if (!collect()) {
        stop = true;
        gate.arrive_and_wait();
        return;
      }
    }
  }

  // Fills `records_` for the next round. False: the search is over.
  bool next_round() {
    if (current_.empty()) {
      // Breadth first: the level is done. The level of the first violation is the last one.
      if (!hits_.empty() && !options_.keep_going) return false;
      std::swap(current_, next_);
    }
    if (current_.empty()) return false;
    const std::string stop = pace_.look(out_, current_.size() + next_.size(), memory());
    if (!stop.empty()) {
      out_.bounds.push_back(stop);
      return false;
    }
    chunks_.clear();
    records_.clear();
    const size_t most = order_ == Order::kBreadthFirst ? kBreadthChunks : kDepthChunks;
    while (chunks_.size() < most && !current_.empty()) {
      chunks_.push_back(order_ == Order::kBreadthFirst ? current_.take_front()
                                                       : current_.take_back());
    }
    for (const Frontier::Chunk& chunk : chunks_) Frontier::read(chunk, records_);
    unit_count_ = (records_.size() + kUnit - 1) / kUnit;
    if (units_.size() < unit_count_) units_.resize(unit_count_);
    next_unit_ = 0;
    return true;
  }

  void expand(int self) {
    for (;;) {
      const size_t index = next_unit_.fetch_add(1);
      if (index >= unit_count_) return;
      Unit& unit = units_[index];
      unit.clear();
      const size_t begin = index * kUnit;
      const size_t end = std::min(begin + kUnit, records_.size());
      // A property or a raw model may fail in any way; the search must not die of it.
      const std::string failure = guarded([&] {
        for (size_t i = begin; i < end; ++i) visit(*explorers_[self], records_[i], unit);
      });
      if (!failure.empty()) unit.error = failure;
    }
  }

  void visit(Explorer& explorer, const Record& record, Unit& unit) {
    if (record.first && !explorer.within(record.state)) {
      ++unit.outside;
      return;
    }
    unit.depth = std::max(unit.depth, record.depth);
    static thread_local std::vector<Choice> choices;
    choices.clear();
    explorer.enumerate(record.state, choices);
    bool terminal = true;
    for (const Choice& choice : choices) terminal = terminal && !choice.progress;
    if (record.first) {
      if (terminal) ++unit.terminal;
      static thread_local Judgement judgement;
      judgement.clear();
      explorer.judge(record.state, terminal, judgement);
      for (uint32_t property : judgement.violated) {
        unit.hits.push_back({property, record.entry, record.depth, false, 0});
      }
      for (uint32_t property : judgement.reached) {
        unit.reached.emplace_back(property, record.depth);
      }
    }
    const bool beyond = options_.max_depth > 0 && record.depth >= options_.max_depth;
    if (choices.size() > kMostChoices) {
      unit.too_many_choices = true;
      choices.resize(kMostChoices);
    }
    for (size_t i = 0; i < choices.size(); ++i) {
      if (choices[i].fails) {
        if (beyond || !record.first || mutant(Mutant::kFailureIgnored)) continue;
        unit.hits.push_back(
            {kNoFailure, record.entry, record.depth + 1, true, static_cast<uint16_t>(i)});
        continue;
      }
      Candidate candidate;
      candidate.at = static_cast<uint32_t>(unit.words.size());
      candidate.fingerprint =
          explorer.apply(record.state, record.fingerprint, choices[i], unit.words);
      // Builds with assertions compare every fingerprint with one computed from scratch.
      assert(candidate.fingerprint ==
             explorer.fingerprint(StateRef(unit.words).subspan(candidate.at)));
      const bool is_loop = candidate.fingerprint == record.fingerprint;
      if (record.count && !beyond) {
        ++unit.transitions;
        if (is_loop) ++unit.self_loops;
      }
      if (is_loop) {  // nothing to look up
        unit.words.resize(candidate.at);
        continue;
      }
      candidate.size = static_cast<uint32_t>(unit.words.size()) - candidate.at;
      candidate.parent = record.entry;
      candidate.depth = record.depth + (mutant(Mutant::kStepsCountTwice) ? 2 : 1);
      candidate.choice = static_cast<uint16_t>(i);
      candidate.progress = choices[i].progress;
      candidate.count = record.count;
      unit.candidates.push_back(candidate);
    }
  }

  void insert(int self) {
    const uint32_t threads = static_cast<uint32_t>(threads_);
    const auto is_mine = [threads, mine = static_cast<uint32_t>(self)](uint64_t fingerprint) {
      return threads == 1 || VisitedSet::shard_of(fingerprint) % threads == mine;
    };
    for (size_t index = 0; index < unit_count_; ++index) {
      std::vector<Candidate>& candidates = units_[index].candidates;
      const size_t count = candidates.size();
      // Even a prefetch looks at the shard, which its owner may be growing.
      const auto prefetch = [&](size_t i) {
        if (i < count && is_mine(candidates[i].fingerprint)) {
          visited_.prefetch(candidates[i].fingerprint);
        }
      };
      for (size_t i = 0; i < kPrefetchAhead; ++i) prefetch(i);
      for (size_t i = 0; i < count; ++i) {
        prefetch(i + kPrefetchAhead);
        Candidate& candidate = candidates[i];
        if (!is_mine(candidate.fingerprint)) continue;
        if (options_.max_depth > 0 && candidate.depth > depth_limit()) {
          // Not to be visited; but if it is known anyway, nothing was cut.
          candidate.answer.found = visited_.contains(candidate.fingerprint)
                                       ? VisitedSet::Found::kKnown
                                       : VisitedSet::Found::kNew;
          continue;
        }
        candidate.answer = visited_.insert(candidate.fingerprint, candidate.depth);
      }
    }
  }

  // Takes over what the round found, in order. False: the search is over.
  bool collect() {
    const bool backwards = threads_ > 1 && mutant(Mutant::kOrderOfThreads);
    for (size_t index = 0; index < unit_count_; ++index) {
      Unit& unit = units_[backwards ? unit_count_ - 1 - index : index];
      if (!unit.error.empty()) {
        out_.error = "a property, a constraint or the model itself failed: " + unit.error;
        return false;
      }
      out_.transitions += unit.transitions;
      out_.self_loops += unit.self_loops;
      out_.terminal_states += unit.terminal;
      outside_ += unit.outside;
      out_.depth = std::max(out_.depth, unit.depth);
      if (unit.too_many_choices) bound("more than 65,536 actions were enabled in one state");
      for (const auto& [property, depth] : unit.reached) {
        int64_t& known = out_.reached_depth[property];
        if (known < 0 || depth < known) known = depth;
      }
      for (const Hit& hit : unit.hits) note(hit);
      for (const Candidate& candidate : unit.candidates) {
        if (!take(unit, candidate)) return false;
      }
    }
    const bool stop_now = !hits_.empty() && !options_.keep_going;
    return !(stop_now && order_ == Order::kDepthFirst);
  }

  bool take(const Unit& unit, const Candidate& candidate) {
    const bool is_new = candidate.answer.found == VisitedSet::Found::kNew;
    if (options_.max_depth > 0 && candidate.depth > depth_limit()) {
      if (is_new) cut_by_depth_ = true;
      return true;
    }
    ++out_.states;
    if (has_eventually_ && !is_new && candidate.progress &&
        candidate.answer.depth < candidate.depth) {
      // Only an edge that does not lead to a deeper level can close a cycle.
      may_have_cycle_ = true;
    }
    bool count = true;
    if (!is_new) {
      const bool shorter = bounded_depth_first_ &&
                           candidate.answer.found == VisitedSet::Found::kShorter &&
                           !mutant(Mutant::kNoSecondExpansion);
      if (!shorter) return true;
      // Reached on a shorter way: what lies behind it may have been cut before.
      count = candidate.answer.depth >= options_.max_depth;
      if (candidate.depth >= VisitedSet::kDeepest) bound("deeper than the visited set can tell");
    } else {
      if (options_.max_states > 0 && out_.distinct_states >= options_.max_states) {
        bound(count_text(options_.max_states) + " states");
        return false;
      }
      if (ancestry_.size() == Ancestry::kRoot - 1) {
        bound("more states than can be numbered");
        return false;
      }
      ++out_.distinct_states;
    }
    const uint32_t entry =
        ancestry_.add(candidate.parent, mutant(Mutant::kWrongParent) ? 0 : candidate.choice);
    Frontier& frontier = order_ == Order::kBreadthFirst ? next_ : current_;
    frontier.push(candidate.fingerprint, entry, candidate.depth, is_new, count,
                  StateRef(unit.words.data() + candidate.at, candidate.size));
    return true;
  }

  uint32_t depth_limit() const {
    return options_.max_depth + (mutant(Mutant::kDepthOffByOne) ? 1 : 0);
  }

  void bound(std::string what) {
    if (std::find(out_.bounds.begin(), out_.bounds.end(), what) == out_.bounds.end()) {
      out_.bounds.push_back(std::move(what));
    }
  }

  void note(const Hit& hit) {
    for (auto& [known, count] : hits_) {
      if (known.property != hit.property) continue;
      ++count;
      if (hit.step < known.step) known = hit;
      return;
    }
    hits_.emplace_back(hit, 1);
  }

  ShortForm path_to(uint32_t entry) const {
    ShortForm path;
    while (ancestry_.parent(entry) != Ancestry::kRoot) {
      path.choices.push_back(ancestry_.choice(entry));
      entry = ancestry_.parent(entry);
    }
    path.initial = ancestry_.choice(entry);
    if (options_.guide) {
      path.choices.insert(path.choices.end(), options_.guide->choices.rbegin(),
                          options_.guide->choices.rend());
      path.initial = options_.guide->initial;
    }
    std::reverse(path.choices.begin(), path.choices.end());
    return path;
  }

  void finish() {
    out_.distinct_states -= std::min(outside_, out_.distinct_states);
    if (cut_by_depth_) bound("depth " + count_text(options_.max_depth));
    std::stable_sort(hits_.begin(), hits_.end(),
                     [](const auto& a, const auto& b) { return a.first.step < b.first.step; });
    if (!options_.keep_going && hits_.size() > 1) hits_.resize(1);
    for (const auto& [hit, count] : hits_) {
      Finding finding;
      finding.property = hit.property;
      finding.path = path_to(hit.entry);
      finding.fails = hit.fails;
      if (hit.fails) finding.path.choices.push_back(hit.choice);
      finding.count = count;
      out_.findings.push_back(std::move(finding));
    }
    const bool stopped = !out_.findings.empty() && !options_.keep_going;
    if (stopped) bound("stopped at the first violation");
    out_.table_bytes = visited_.bytes() + ancestry_.bytes();
    out_.bytes = memory();
    if (has_eventually_ && out_.bounds.empty()) {
      const bool suspicious =
          out_.self_loops > 0 || may_have_cycle_ || order_ == Order::kDepthFirst;
      out_.cycle = suspicious && has_progress_cycle(space_, roots_, pace_, out_);
    }
  }

  uint64_t memory() const {
    return visited_.bytes() + ancestry_.bytes() + current_.bytes() + next_.bytes() +
           space_.statistics().bytes;
  }

  StateSpace& space_;
  const Order order_;
  const Options& options_;
  Pace pace_;
  int threads_ = 1;
  const bool bounded_depth_first_;
  const bool has_eventually_;
  bool may_have_cycle_ = false;
  bool cut_by_depth_ = false;
  uint64_t outside_ = 0;

  std::vector<StateSpace::Initial> roots_;
  std::vector<std::unique_ptr<Explorer>> explorers_;
  VisitedSet visited_;
  Ancestry ancestry_;
  Frontier current_;
  Frontier next_;

  std::vector<Frontier::Chunk> chunks_;
  std::vector<Record> records_;
  std::vector<Unit> units_;
  size_t unit_count_ = 0;
  std::atomic<size_t> next_unit_{0};

  std::vector<std::pair<Hit, uint64_t>> hits_;  // the first of each property, and how many
  Exploration out_;
};

}  // namespace

Exploration search(StateSpace& space, Order order, const Options& options) {
  // The visited set and its buffers are large: not on the stack.
  return std::make_unique<Search>(space, order, options)->run();
}

}  // namespace ordeal::explore
