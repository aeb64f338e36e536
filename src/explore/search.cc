#include "explore/search.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <memory>
#include <thread>
#include <utility>

#include "base/guard.h"
#include "base/mutant.h"
#include "explore/checkpoint.h"
#include "explore/expansion.h"
#include "explore/lookup.h"
#include "explore/search_state.h"

namespace ordeal::explore {
namespace {

constexpr size_t kUnit = 64;           // records that one thread expands at a time
constexpr size_t kDepthRecords = 256;  // records in a round
// Breadth first, the size of a round shows in nothing: large ones are quicker, and small ones are
// for slow handlers, so that a stop is noticed in time.
constexpr size_t kLeastBreadth = 64;
constexpr size_t kMostBreadth = 4096;
constexpr size_t kMostBreadthTogether = 16384;  // several threads wait for each other in each round
constexpr double kShortRound = 0.02;            // seconds
constexpr double kLongRound = 0.2;
constexpr uint64_t kLeastMemory = uint64_t{1} << 20;  // with less there is no room to work in

class Search {
 public:
  Search(StateSpace& space, Order order, const Options& options)
      : space_(space),
        options_(options),
        plan_(plan_of(space, order, options)),
        pace_(options, space.properties()),
        checkpoint_pause_(options.checkpoint_seconds),
        s_(options, plan_.note),
        lookup_(plan_, s_),
        out_(s_.out) {
    out_.stored_states = true;
    out_.reached_depth.assign(space.properties().size(), -1);
  }

  Exploration run() {
    if (!start()) return std::move(out_);
    for (int i = 0; i < plan_.threads; ++i) expanders_.emplace_back(space_.explorer(), options_);
    if (plan_.threads == 1) {
      while (next_round()) {
        for (size_t i = 0; i < unit_count_; ++i) {
          lookup_.expand_and_look_up(expanders_[0], units_[i]);
        }
        const bool go_on = collect();
        for (size_t i = 0; i < unit_count_; ++i) lookup_.queue(units_[i]);
        finish_round();
        if (!go_on) break;
      }
    } else {
      run_parallel();
    }
    if (!out_.error.empty()) return std::move(out_);
    finish();
    return std::move(out_);
  }

 private:
  // --- Before the first round --------------------------------------------------------------------
  bool start() {
    auto initial = space_.initial();
    if (!initial) return fail(initial.error().message);
    roots_ = std::move(*initial);
    if (options_.guide && !follow_guide()) return false;
    if (pace_.max_bytes() < kLeastMemory) {
      return fail("a memory limit of " + size_text(pace_.max_bytes()) +
                  " is too small to start; give at least " + size_text(kLeastMemory));
    }
    if (!options_.spill.empty()) {
      const Result<ScratchFile> trial = ScratchFile::in(options_.spill);
      if (!trial) return fail("spilling: " + trial.error().message);
    }
    if (!options_.checkpoint.empty()) {
      identity_ = identity_of(space_, roots_, options_);
      const Result<bool> resumed =
          read_checkpoint(options_.checkpoint, identity_, space_, roots_, options_, s_,
                          plan_.note != VisitedSet::Note::kNone);
      if (!resumed) return fail(resumed.error().message);
      if (*resumed) {
        out_.notes.push_back("resumed from " + options_.checkpoint + " with " +
                             count_text(out_.distinct_states) + " states");
        return true;
      }
    }
    add_roots();
    return true;
  }

  void add_roots() {
    const auto explorer = space_.explorer();
    Frontier::Words words;
    uint32_t records = 0;
    for (uint32_t i = 0; i < roots_.size(); ++i) {
      ++out_.states;
      const uint64_t second =
          options_.wide_fingerprints ? explorer->second_fingerprint(roots_[i].state) : 0;
      const VisitedSet::Place place = s_.visited.put(roots_[i].fingerprint, second);
      if (!place.is_new) continue;
      if (plan_.note != VisitedSet::Note::kNone) s_.visited.set_note(place, 0);
      Record record;
      record.fingerprint = roots_[i].fingerprint;
      record.entry = s_.ancestry.add(Ancestry::kRoot, static_cast<uint16_t>(i));
      record.sleeps = plan_.sleeps;
      record.state = roots_[i].state;
      Frontier::write(record, words);
      ++records;
      ++out_.distinct_states;
    }
    s_.current.add(std::move(words), records);
  }

  // Replaces the initial states by the one that the guide leads to.
  bool follow_guide() {
    const ShortForm& guide = *options_.guide;
    if (guide.initial >= roots_.size()) {
      return fail("the guide starts in initial state " + std::to_string(guide.initial) +
                  ", but there are " + std::to_string(roots_.size()));
    }
    StateSpace::Initial state = roots_[guide.initial];
    auto explorer = space_.explorer();
    for (size_t i = 0; i < guide.choices.size(); ++i) {
      std::vector<Choice> choices;
      explorer->enumerate(state.state, choices);
      if (guide.choices[i] >= choices.size() || choices[guide.choices[i]].fails) {
        return fail("the guide cannot be followed at step " + std::to_string(i + 1) +
                    ": it takes action " + std::to_string(guide.choices[i]) + " of " +
                    std::to_string(choices.size()));
      }
      std::vector<uint32_t> next;
      state.fingerprint =
          explorer->apply(state.state, state.fingerprint, choices[guide.choices[i]], next);
      state.state = std::move(next);
    }
    roots_ = {std::move(state)};
    return true;
  }

  bool fail(std::string why) {
    out_.error = std::move(why);
    return false;
  }

  // --- A round -----------------------------------------------------------------------------------
  void run_parallel() {
    // Workers take part in phases; this thread also decides between them.
    std::barrier<> gate(plan_.threads);
    bool stop = false;
    const auto phases = [&](int self, const auto& between) {
      for_each_unit([&](size_t i) { expand(self, units_[i]); }, next_to_expand_);
      gate.arrive_and_wait();
      for (size_t i = 0; i < unit_count_; ++i) lookup_.look_up_shards(self, units_[i]);
      gate.arrive_and_wait();
      between();
      gate.arrive_and_wait();
      for_each_unit([&](size_t i) { lookup_.queue(units_[i]); }, next_to_queue_);
      gate.arrive_and_wait();
    };
    const auto work = [&](int self) {
      for (;;) {
        gate.arrive_and_wait();
        if (stop) return;
        phases(self, [] {});
      }
    };
    std::vector<std::jthread> workers;
    for (int i = 1; i < plan_.threads; ++i) workers.emplace_back(work, i);
    while (!stop) {
      stop = !next_round();
      gate.arrive_and_wait();
      if (stop) return;
      bool go_on = true;
      phases(0, [&] { go_on = collect(); });
      finish_round();
      if (!go_on) {
        stop = true;
        gate.arrive_and_wait();
      }
    }
  }

  template <class F>
  void for_each_unit(const F& f, std::atomic<size_t>& next) {
    for (;;) {
      const size_t index = next.fetch_add(1);
      if (index >= unit_count_) return;
      f(index);
    }
  }

  // Fills `records_` for the next round. False: the search is over.
  bool next_round() {
    do {
      if (!between_rounds()) return false;
      chunks_.clear();
      records_.clear();
      const bool breadth = plan_.order == Order::kBreadthFirst;
      const size_t enough = breadth ? breadth_records_ : kDepthRecords;
      while (records_.size() < enough && !s_.current.empty()) {
        Result<Frontier::Words> chunk = breadth ? s_.current.take_front() : s_.current.take_back();
        if (!chunk) return stop_for("disk: " + chunk.error().message);
        chunks_.push_back(std::move(*chunk));
        Frontier::read(chunks_.back(), records_);
      }
      if (!s_.dropped.empty()) {
        std::erase_if(records_, [&](const Record& r) { return s_.is_dropped(r.entry); });
      }
    } while (records_.empty());
    unit_count_ = (records_.size() + kUnit - 1) / kUnit;
    while (units_.size() < unit_count_) units_.emplace_back().lanes.resize(plan_.threads);
    for (size_t i = 0; i < unit_count_; ++i) {
      const size_t begin = i * kUnit;
      units_[i].start({records_.data() + begin, std::min(kUnit, records_.size() - begin)});
    }
    next_to_expand_ = 0;
    next_to_queue_ = 0;
    return true;
  }

  // Goes on to the next level, keeps memory within its limit, leaves a checkpoint. False: over.
  bool between_rounds() {
    if (s_.current.empty()) {
      // Breadth first: the level is done. The level of the first violation is the last one.
      if (!s_.hits.empty() && !options_.keep_going) return false;
      if (!s_.disk.empty() && !settle_with_disk()) return false;
      std::swap(s_.current, s_.next);
      next_level();
    }
    if (s_.current.empty()) return false;
    if (!options_.spill.empty() && memory() > spill_bytes() && !relieve_memory()) return false;
    const std::string stop = pace_.look(out_, s_.current.size() + s_.next.size(), memory(), true);
    const double now = pace_.seconds();
    if (now - round_started_ < kShortRound) {
      const size_t most = plan_.threads == 1 ? kMostBreadth : kMostBreadthTogether;
      breadth_records_ = std::min(breadth_records_ * 2, most);
    } else if (now - round_started_ > kLongRound) {
      breadth_records_ = std::max(breadth_records_ / 2, kLeastBreadth);
    }
    round_started_ = now;
    const bool due = now - last_checkpoint_ >= checkpoint_pause_;
    if (!options_.checkpoint.empty() && (due || !stop.empty()) && !leave_checkpoint()) return false;
    return stop.empty() || stop_for(stop);
  }

  // States are tagged with their level, so that edges that lead back can be told from others. There
  // are few tags: when they run out, all states so far become old ones, unless that takes too long;
  // then every edge may lead back.
  void next_level() {
    if (!plan_.has_eventually || s_.may_have_cycle || ++s_.level_tag <= VisitedSet::kTags) return;
    constexpr uint64_t kWorthIt = 64;
    if (out_.distinct_states > kWorthIt * (out_.transitions - tags_forgotten_at_)) {
      s_.may_have_cycle = true;
      s_.level_tag = 1;
      return;
    }
    s_.visited.forget_tags();
    tags_forgotten_at_ = out_.transitions;
    s_.level_tag = 2;
  }

  bool stop_for(std::string why) {
    out_.bound(std::move(why));
    return false;
  }

  void expand(int self, Unit& unit) {
    // A property or a raw model may fail in any way; the search must not die of it.
    const std::string failure = guarded([&] { expanders_[self].expand(unit, [](size_t) {}); });
    if (!failure.empty()) unit.error = failure;
  }

  // Takes over what the round found, in order, and says where what is queued goes. False: over.
  bool collect() {
    const bool backwards = plan_.threads > 1 && mutant(Mutant::kOrderOfThreads);
    bool go_on = true;
    for (size_t i = 0; i < unit_count_; ++i) {
      Unit& unit = units_[backwards ? unit_count_ - 1 - i : i];
      unit.most_queued = 0;
      if (!go_on) continue;
      if (!unit.error.empty()) {
        go_on = fail("a property, a constraint or the model itself failed: " + unit.error);
        continue;
      }
      out_.transitions += unit.transitions;
      out_.self_loops += unit.self_loops;
      out_.states += unit.repeated;
      out_.terminal_states += unit.terminal;
      s_.outside += unit.outside;
      out_.depth = std::max(out_.depth, unit.depth);
      if (unit.too_many_choices) out_.bound("more than 65,536 actions were enabled in one state");
      for (const auto& [property, depth] : unit.reached) {
        int64_t& known = out_.reached_depth[property];
        if (known < 0 || depth < known) known = depth;
      }
      for (const Hit& hit : unit.hits) note(hit);
      go_on = make_room_for(unit);
    }
    const bool stop_now = !s_.hits.empty() && !options_.keep_going;
    return go_on && !(stop_now && plan_.order == Order::kDepthFirst);
  }

  bool make_room_for(Unit& unit) {
    uint64_t queued = 0;
    uint64_t fresh = 0;
    for (const Lane& lane : unit.lanes) {
      out_.states += lane.considered;
      queued += lane.queued.size();
      fresh += lane.fresh;
      s_.cut_by_depth = s_.cut_by_depth || lane.cut_by_depth;
      s_.may_have_cycle = s_.may_have_cycle || lane.may_close_cycle;
      if (lane.too_deep_to_tell) out_.bound("deeper than the visited set can tell");
    }
    bool go_on = true;
    if (options_.max_states > 0 && out_.distinct_states + fresh > options_.max_states) {
      out_.bound(count_text(options_.max_states) + " states");
      // A search that goes on from a checkpoint may have more already.
      fresh = queued = options_.max_states - std::min(out_.distinct_states, options_.max_states);
      go_on = false;
    }
    if (queued > Ancestry::kMost - s_.ancestry.size()) {
      out_.bound("more states than can be numbered");
      fresh = queued = 0;
      go_on = false;
    }
    out_.distinct_states += fresh;
    unit.most_queued = static_cast<uint32_t>(queued);
    unit.first_entry = s_.ancestry.extend(unit.most_queued);
    return go_on;
  }

  void finish_round() {
    Frontier& frontier = plan_.order == Order::kBreadthFirst ? s_.next : s_.current;
    for (size_t i = 0; i < unit_count_; ++i) {
      frontier.add(std::move(units_[i].waiting), units_[i].most_queued);
    }
  }

  // --- Memory and disk ---------------------------------------------------------------------------
  uint64_t memory() const {
    uint64_t sum = s_.visited.bytes() + s_.ancestry.bytes() + s_.current.bytes() + s_.next.bytes() +
                   space_.statistics().bytes + s_.dropped.size() / 8 + s_.beyond.bytes();
    if (plan_.sleeps) {
      for (const SleepSets& sets : s_.sleep_sets) sum += sets.bytes();
    }
    return sum;
  }

  uint64_t spill_bytes() const {
    return options_.spill_bytes > 0 ? options_.spill_bytes : pace_.max_bytes() / 4 * 3;
  }

  // Compares what was found since the last time with what lies on disk, and adds it there.
  bool settle_with_disk() {
    uint64_t known = 0;
    s_.dropped.resize(s_.ancestry.size());
    const bool was_empty = s_.disk.empty();
    const Result<void> done = s_.disk.absorb(s_.visited, [&](const VisitedSet::Place& place) {
      s_.dropped[s_.visited.note(place)] = !mutant(Mutant::kDiskDuplicatesKept);
      ++known;
    });
    if (!done) return stop_for("disk: " + done.error().message);
    out_.distinct_states -= known;
    // Whether such a state closes a cycle cannot be told: its depth is not on disk.
    if (plan_.has_eventually && (known > 0 || was_empty)) s_.may_have_cycle = true;
    s_.visited.restart(VisitedSet::Note::kNumber);
    if (s_.beyond.size() == 0) return true;
    // States of the last level lead to none that are new and not beyond: the disk has them all now.
    const Result<bool> none_cut = s_.disk.contain_all(s_.beyond);
    if (!none_cut) return stop_for("disk: " + none_cut.error().message);
    s_.cut_by_depth = s_.cut_by_depth || !*none_cut;
    s_.beyond.restart(VisitedSet::Note::kNone);
    return true;
  }

  // Moves to disk what need not be at hand.
  bool relieve_memory() {
    for (Frontier* frontier : {&s_.next, &s_.current}) {
      const Result<void> stored = frontier->store(options_.spill);
      if (!stored) return stop_for("disk: " + stored.error().message);
    }
    const Result<void> stored = s_.ancestry.store(options_.spill);
    if (!stored) return stop_for("disk: " + stored.error().message);
    if (memory() <= spill_bytes() / 3 * 2) return true;
    return settle_with_disk();
  }

  bool leave_checkpoint() {
    if (!s_.disk.empty() && !settle_with_disk()) return false;
    const Result<void> written =
        write_checkpoint(options_.checkpoint, identity_, s_,
                         s_.disk.empty() && plan_.note != VisitedSet::Note::kNone);
    if (!written) return stop_for("checkpoint: " + written.error().message);
    // Writing must not take more than a tenth of the time.
    const double began = round_started_;
    last_checkpoint_ = round_started_ = pace_.seconds();
    if (options_.checkpoint_seconds > 0) {
      checkpoint_pause_ = std::max(options_.checkpoint_seconds, 10 * (last_checkpoint_ - began));
    }
    return true;
  }

  // --- What was found ----------------------------------------------------------------------------
  void note(const Hit& hit) {
    for (auto& [known, count] : s_.hits) {
      if (known.property != hit.property) continue;
      ++count;
      if (hit.step < known.step) known = hit;
      return;
    }
    s_.hits.emplace_back(hit, 1);
    out_.violated.push_back(hit.property);
  }

  ShortForm path_to(uint32_t entry) const {
    ShortForm path;
    while (s_.ancestry.parent(entry) != Ancestry::kRoot) {
      path.choices.push_back(s_.ancestry.choice(entry));
      entry = s_.ancestry.parent(entry);
    }
    path.initial = s_.ancestry.choice(entry);
    if (options_.guide) {
      path.choices.insert(path.choices.end(), options_.guide->choices.rbegin(),
                          options_.guide->choices.rend());
      path.initial = options_.guide->initial;
    }
    std::reverse(path.choices.begin(), path.choices.end());
    return path;
  }

  void finish() {
    // What is only believed to be new must not be counted, whatever cut the search.
    if (!s_.disk.empty()) settle_with_disk();
    out_.distinct_states -= std::min(s_.outside, out_.distinct_states);
    if (s_.cut_by_depth) out_.bound("depth " + count_text(options_.max_depth));
    std::stable_sort(s_.hits.begin(), s_.hits.end(),
                     [](const auto& a, const auto& b) { return a.first.step < b.first.step; });
    if (!options_.keep_going && s_.hits.size() > 1) s_.hits.resize(1);
    for (const auto& [hit, count] : s_.hits) {
      Finding finding;
      finding.property = hit.property;
      finding.path = path_to(hit.entry);
      finding.fails = hit.fails;
      if (hit.fails) finding.path.choices.push_back(hit.choice);
      finding.count = count;
      out_.findings.push_back(std::move(finding));
    }
    const bool stopped = !out_.findings.empty() && !options_.keep_going;
    bool is_over = out_.bounds.empty() || stopped;
    if (stopped) out_.bound("stopped at the first violation");
    out_.table_bytes = s_.visited.bytes() + s_.ancestry.bytes();
    out_.disk_bytes = s_.disk.file_bytes();
    out_.bytes = memory();
    if (plan_.has_eventually && out_.bounds.empty()) {
      const bool suspicious =
          out_.self_loops > 0 || s_.may_have_cycle || plan_.order == Order::kDepthFirst;
      if (suspicious) {
        const CycleSearchResult found = find_progress_cycle(space_, roots_, pace_, out_);
        out_.cycle = found.cycle;
        out_.cycle_unknown = found.stopped;
        is_over = found.stopped.empty();
      }
    }
    if (is_over && !options_.checkpoint.empty()) remove_checkpoint(options_.checkpoint);
  }

  StateSpace& space_;
  const Options& options_;
  const SearchPlan plan_;
  Pace pace_;
  double last_checkpoint_ = 0;
  double checkpoint_pause_ = 0;  // before the next one
  double round_started_ = 0;
  size_t breadth_records_ = kLeastBreadth;  // in a round
  uint64_t tags_forgotten_at_ = 0;          // transitions

  std::vector<StateSpace::Initial> roots_;
  Identity identity_;
  SearchState s_;
  Lookup lookup_;
  Exploration& out_;
  std::vector<Expander> expanders_;  // one per thread

  // The round at hand.
  std::vector<Frontier::Words> chunks_;
  std::vector<Record> records_;
  std::vector<Unit> units_;
  size_t unit_count_ = 0;
  std::atomic<size_t> next_to_expand_{0};
  std::atomic<size_t> next_to_queue_{0};
};

}  // namespace

SearchPlan plan_of(const StateSpace& space, Order order, const Options& options) {
  SearchPlan plan{.options = options};
  plan.order = order;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  plan.threads = std::clamp(options.threads > 0 ? options.threads : cores, 1, 256);
  plan.bounded_depth_first = order == Order::kDepthFirst && options.max_depth > 0;
  const std::vector<Property>& properties = space.properties();
  plan.has_eventually = std::any_of(
      properties.begin(), properties.end(),
      [](const Property& property) { return property.kind == PropertyKind::kEventually; });
  plan.sleeps = options.reduce == "sleep";
  if (plan.sleeps) plan.note = VisitedSet::Note::kNumber;
  if (plan.bounded_depth_first) plan.note = VisitedSet::Note::kDepth;
  return plan;
}

Exploration search(StateSpace& space, Order order, const Options& options) {
  // The visited set and its buffers are large: not on the stack.
  return std::make_unique<Search>(space, order, options)->run();
}

}  // namespace ordeal::explore
