#include "explore/search/search.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/guard.h"
#include "base/lock_file.h"
#include "base/mutant.h"
#include "base/pages.h"
#include "base/text.h"
#include "explore/liveness/liveness.h"
#include "explore/search/after_search.h"
#include "explore/search/checkpoint.h"
#include "explore/search/expansion.h"
#include "explore/search/lookup.h"
#include "explore/search/round.h"
#include "explore/search/search_state.h"
#include "explore/store/memory_plan.h"
#include "explore/strategy/coverage.h"
#include "explore/strategy/failures.h"

namespace ordeal::explore {
namespace {

constexpr size_t kDepthRecords = 256;  // records in a round, depth first
// Breadth first, the size of a round shows in nothing: large ones are quicker, small ones are for
// the beginning, and where memory is short.
constexpr size_t kMostBreadth = 4096;
constexpr size_t kMostBreadthTogether = 16384;  // several threads wait for each other in each round
constexpr double kLongRound = 0.2;  // seconds; it is cut then, to look who wants to stop
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
        out_(s_.out),
        round_(plan_.threads),
        memory_(plan_.threads == 1 ? kMostBreadth : kMostBreadthTogether) {
    out_.stored_states = true;
    out_.reached_depth.assign(space.properties().size(), -1);
  }

  Exploration run() {
    if (!start()) return std::move(out_);
    const uint64_t most_bytes = memory_to_keep() / static_cast<uint64_t>(plan_.threads);
    for (int i = 0; i < plan_.threads; ++i) {
      expanders_.emplace_back(space_.explorer(), options_, most_bytes,
                              Expander::judging_of(space_));
    }
    if (plan_.threads == 1) {
      run_alone();
    } else {
      run_parallel();
    }
    if (!out_.error.empty()) return std::move(out_);
    if (s_.at_bound) end_at_bound();
    finish();
    return std::move(out_);
  }

 private:
  // --- Before the first round --------------------------------------------------------------------
  bool start() {
    Result<Liveness> liveness = space_.liveness();
    if (!liveness) return fail(liveness.error().message);
    liveness_ = as_asked(*std::move(liveness), options_.fairness);
    auto initial = space_.initial();
    if (!initial) return fail(initial.error().message);
    roots_ = std::move(*initial);
    if (roots_.size() > UINT32_MAX) return fail("there are more than 4,294,967,295 initial states");
    if (options_.guide && !follow_guide()) return false;
    out_.initial_states = roots_.size();
    if (pace_.max_bytes() < kLeastMemory) {
      return fail("a memory limit of " + bytes_text(pace_.max_bytes()) +
                  " is too small to start; give at least " + bytes_text(kLeastMemory));
    }
    if (!options_.spill.empty()) {
      const Result<ScratchFile> trial = ScratchFile::in(options_.spill);
      if (!trial) return fail("spilling: " + trial.error().message);
    }
    if (!options_.checkpoint.empty()) {
      Result<LockFile> lock = LockFile::take(options_.checkpoint + ".lock");
      if (!lock) {
        return fail(options_.checkpoint +
                    " is in use, by a search that is still running: " + lock.error().message);
      }
      lock_.emplace(std::move(*lock));
      Result<Identity> identity = identity_of(space_, roots_, options_);
      if (!identity) return fail("checkpoint: " + identity.error().message);
      identity_ = std::move(*identity);
      const Result<bool> resumed =
          read_checkpoint(options_.checkpoint, identity_, space_, roots_, options_, s_,
                          plan_.note != VisitedSet::Note::kNone);
      if (!resumed) return fail(resumed.error().message);
      if (*resumed) {
        out_.notes.push_back("resumed from " + options_.checkpoint + " with " +
                             grouped(out_.distinct_states) + " states");
        return true;
      }
    }
    add_roots();
    return true;
  }

  void add_roots() {
    const auto explorer = space_.explorer();
    // What is taken from a chunk and not expanded is written again: large ones are for few rounds.
    constexpr uint32_t kMostInChunk = 1024;
    std::vector<std::pair<Frontier::Words, uint32_t>> chunks;
    for (uint32_t i = 0; i < roots_.size(); ++i) {
      ++out_.states;
      const uint64_t second =
          options_.wide_fingerprints ? explorer->second_fingerprint(roots_[i].state) : 0;
      const VisitedSet::Place place = s_.visited.put(roots_[i].fingerprint, second);
      if (!place.is_new) continue;
      if (plan_.note != VisitedSet::Note::kNone) s_.visited.set_note(place, 0);
      Record record;
      record.fingerprint = roots_[i].fingerprint;
      record.entry = s_.ancestry.add(Ancestry::kRoot, mutant(Mutant::kFewRoots) ? i & 0xffff : i);
      record.sleeps = plan_.sleeps;
      record.state = roots_[i].state;
      if (chunks.empty() || chunks.back().second == kMostInChunk) chunks.emplace_back();
      Frontier::write(record, chunks.back().first);
      ++chunks.back().second;
      ++out_.distinct_states;
    }
    // Depth first takes the last chunk first.
    if (plan_.order == Order::kDepthFirst) std::reverse(chunks.begin(), chunks.end());
    for (auto& [words, records] : chunks) s_.current.add(std::move(words), records);
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
      if (explorer->trouble() != nullptr) choices.clear();
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
  void run_alone() {
    while (next_round()) {
      size_t done = 0;
      while (done < round_.unit_count() && !(done > 0 && is_to_be_cut())) {
        lookup_.expand_and_look_up(expanders_[0], round_.unit(done++));
        if (round_.unit(done - 1).overdue) break;
      }
      const bool go_on = collect(done);
      for (size_t i = 0; i < round_.unit_count(); ++i) lookup_.queue(round_.unit(i));
      finish_round();
      if (!go_on) break;
    }
  }

  // A round that takes long is cut, so that whoever wants to stop need not wait. Depth first it
  // would show in the result; rounds are short there.
  bool is_to_be_cut() const {
    return plan_.order == Order::kBreadthFirst &&
           (pace_.interrupted() || pace_.seconds() - round_started_ > kLongRound);
  }

  void run_parallel() {
    // Workers take part in phases; this thread also decides between them.
    std::barrier<> gate(plan_.threads);
    bool stop = false;
    const auto phases = [&](int self, const auto& between) {
      for (;;) {
        const size_t i = cut_ ? round_.unit_count() : next_to_expand_.fetch_add(1);
        if (i >= round_.unit_count()) break;
        expand(self, round_.unit(i));
        if ((self == 0 && is_to_be_cut()) || round_.unit(i).overdue) cut_ = true;
      }
      gate.arrive_and_wait();
      // Units are taken in order, and those that were taken are done.
      const size_t done = std::min(round_.unit_count(), next_to_expand_.load());
      for (size_t i = 0; i < done; ++i) lookup_.look_up_shards(self, round_.unit(i));
      gate.arrive_and_wait();
      between(done);
      gate.arrive_and_wait();
      for (;;) {
        const size_t i = next_to_queue_.fetch_add(1);
        if (i >= round_.unit_count()) break;
        lookup_.queue(round_.unit(i));
      }
      gate.arrive_and_wait();
    };
    const auto work = [&](int self) {
      for (;;) {
        gate.arrive_and_wait();
        if (stop) return;
        phases(self, [](size_t) {});
      }
    };
    std::vector<std::jthread> workers;
    while (next_round()) {
      bool go_on = true;
      if (round_.unit_count() == 1 && !share_small_rounds) {
        go_on = run_unit_alone(round_.unit(0));
      } else {
        for (int i = static_cast<int>(workers.size()) + 1; i < plan_.threads; ++i) {
          workers.emplace_back(work, i);
        }
        gate.arrive_and_wait();
        phases(0, [&](size_t done) { go_on = collect(done); });
      }
      finish_round();
      if (!go_on) break;
    }
    stop = true;
    if (!workers.empty()) gate.arrive_and_wait();
  }

  // What all threads do in a round, while the others wait: they would wait longer than they work.
  bool run_unit_alone(Unit& unit) {
    expand(0, unit);
    for (int self = 0; self < plan_.threads; ++self) lookup_.look_up_shards(self, unit);
    const bool go_on = collect(1);
    lookup_.queue(unit);
    return go_on;
  }

  // Takes the states of the next round. False: the search is over.
  bool next_round() {
    do {
      if (!between_rounds()) return false;
      const bool breadth = plan_.order == Order::kBreadthFirst;
      const Result<void> taken =
          round_.take(s_, plan_.order, breadth ? memory_.left() : kDepthRecords);
      if (!taken) return stop_for(on_disk(taken.error()));
    } while (round_.records() == 0);
    next_to_expand_ = 0;
    next_to_queue_ = 0;
    cut_ = false;
    return true;
  }

  // Goes on to the next level, keeps memory within its limit, leaves a checkpoint. False: over.
  bool between_rounds() {
    if (s_.current.empty()) {
      // Breadth first: the level is done. The level of the first violation is the last one.
      if (is_to_end()) return false;
      if (!settle()) return false;
      std::swap(s_.current, s_.next);
      s_.next_level(plan_.has_eventually);
      memory_.separate_rounds();
      give_back_memory();
    }
    if (s_.current.empty()) return false;
    if (memory_.is_due() && !look_at_memory()) return false;
    const std::optional<Bound> stop =
        pace_.look(out_, s_.current.size() + s_.next.size(), memory_.bytes(), true);
    const double now = pace_.seconds();
    round_started_ = now;
    const bool due = now - last_checkpoint_ >= checkpoint_pause_;
    if (due || stop) {
      if (const auto left = leave_checkpoint(); !left) return stop_for(file_bound(left.error()));
    }
    return !stop || stop_for(*stop);
  }

  bool stop_for(Bound why) {
    out_.bound(std::move(why));
    return false;
  }
  static Bound file_bound(const Error& error) {
    return {.kind = Bound::Kind::kFile, .text = error.message};
  }
  static Bound on_disk(const Error& error) { return file_bound({"disk: " + error.message}); }

  void expand(int self, Unit& unit) {
    expanders_[self].expand(unit, [](size_t) {});
  }

  // Takes over what the round found in its first `done` units, in order, and says where what is
  // queued goes. False: over.
  bool collect(size_t done) {
    round_.cut(done, s_.current);
    const bool backwards = plan_.threads > 1 && mutant(Mutant::kOrderOfThreads);
    bool go_on = true;
    for (size_t i = 0; i < done; ++i) {
      Unit& unit = round_.unit(backwards ? done - 1 - i : i);
      unit.most_queued = 0;
      if (!go_on) continue;
      if (!unit.error.empty()) {
        take_findings(unit);
        // Beyond the bound nobody would have seen it.
        go_on = !s_.at_bound && !s_.trouble && break_off(unit);
        round_is_whole_ = false;
        continue;
      }
      out_.transitions += unit.transitions;
      out_.steps.add(unit.steps);
      out_.self_loops += unit.self_loops;
      out_.states += unit.repeated;
      out_.terminal_states += unit.terminal;
      s_.outside += unit.outside;
      s_.has_cycle = s_.has_cycle || unit.progress_loops;
      s_.may_have_cycle = s_.may_have_cycle || ((plan_.sleeps || plan_.any_step) && unit.loops);
      out_.depth = std::max(out_.depth, unit.depth);
      if (unit.too_many_choices) {
        out_.bound({.kind = Bound::Kind::kSize,
                    .text = "more than " + grouped(Expander::kMostChoices) +
                            " actions were enabled in one state"});
      }
      if (unit.too_large) {
        go_on = stop_for({.kind = Bound::Kind::kMemory,
                          .text = "memory: the successors of a few states do not fit into it"});
        round_is_whole_ = false;
        continue;
      }
      for (const auto& [property, depth] : unit.reached) {
        int64_t& known = out_.reached_depth[property];
        if (known < 0 || depth < known) known = depth;
      }
      take_findings(unit);
      go_on = make_room_for(unit);
      if (unit.overdue) go_on = round_is_whole_ = false;
    }
    return go_on && !s_.at_bound && !(is_to_end() && plan_.order == Order::kDepthFirst);
  }

  // Whether what was found ends the search.
  bool is_to_end() const { return s_.trouble || (!s_.hits.empty() && !options_.keep_going); }

  // In the order in which the unit met them. What comes after the first that ends the search counts
  // for nothing: it would not have been seen.
  void take_findings(Unit& unit) {
    for (size_t i = 0; i <= unit.hits.size(); ++i) {
      const bool is_first = !s_.trouble && (options_.keep_going || s_.hits.empty());
      if (unit.trouble && unit.trouble->hits_before == i && is_first) s_.trouble = unit.trouble;
      if (i == unit.hits.size()) break;
      if (!s_.trouble || options_.keep_going) s_.note(unit.hits[i]);
    }
  }

  // What was found before is kept. Always false.
  bool break_off(const Unit& unit) {
    if (is_abandoned(unit.error)) return stop_for({Bound::Kind::kInterrupted});
    const Ancestry::Entry entry = unit.records[unit.visiting].entry;
    std::string why = broken_off(unit.error, s_.path_to(entry, options_.guide));
    if (s_.hits.empty()) return fail(std::move(why));
    return stop_for({.kind = Bound::Kind::kBroken, .text = std::move(why)});
  }

  bool make_room_for(Unit& unit) {
    uint64_t queued = 0;
    uint64_t fresh = 0;
    for (const Lane& lane : unit.lanes) {
      out_.states += lane.considered;
      queued += lane.queued.size();
      fresh += lane.fresh;
      s_.cut_by_depth = s_.cut_by_depth || lane.cut_by_depth;
      s_.may_have_cycle = s_.may_have_cycle || lane.leads_back;
      if (lane.too_deep_to_tell) {
        out_.bound({.kind = Bound::Kind::kSize, .text = "deeper than can be told"});
      }
    }
    const bool too_many =
        options_.max_states > 0 && out_.distinct_states + fresh > options_.max_states;
    if (too_many && !s_.at_bound) {
      // A search that goes on from a checkpoint may have more already.
      const uint64_t left =
          options_.max_states - std::min(out_.distinct_states, options_.max_states);
      s_.at_bound = {s_.ancestry.size() + left, s_.hits, s_.trouble, s_.outside,
                     s_.cut_by_depth,           out_};
      s_.at_bound->out.distinct_states += left;
      s_.at_bound->out.bound({Bound::Kind::kStates, options_.max_states});
    }
    bool go_on = true;
    // A level that is compared with the disk when it ends is numbered in 32 bits.
    if (s_.ancestry.size() + queued - s_.notes_from > UINT32_MAX && !s_.disk.empty()) {
      out_.bound({.kind = Bound::Kind::kSize, .text = "more states than can be numbered"});
      fresh = queued = 0;
      go_on = round_is_whole_ = false;
    }
    out_.distinct_states += fresh;
    unit.most_queued = static_cast<uint32_t>(queued);
    unit.first_entry = s_.ancestry.extend(unit.most_queued);
    return go_on;
  }

  void finish_round() {
    Frontier& frontier = plan_.order == Order::kBreadthFirst ? s_.next : s_.current;
    for (size_t i = 0; i < round_.unit_count(); ++i) {
      frontier.add(std::move(round_.unit(i).waiting), round_.unit(i).most_queued);
    }
    if (plan_.order == Order::kDepthFirst) memory_.separate_rounds();
    memory_.add_round(round_.records(), round_.add_up());
  }

  // --- Memory and disk ---------------------------------------------------------------------------
  uint64_t memory() const {
    uint64_t sum = s_.bytes() + space_.statistics().bytes + memory_.of_rounds();
    for (const Expander& expander : expanders_) sum += expander.bytes();
    return sum;
  }

  // Beyond this something must be done about it.
  uint64_t memory_to_keep() const {
    if (options_.spill.empty()) return pace_.max_bytes();
    return options_.spill_bytes > 0 ? options_.spill_bytes : pace_.max_bytes() / 4 * 3;
  }

  bool look_at_memory() {
    const uint64_t grown = memory();
    out_.bytes = std::max(out_.bytes, grown);
    const bool relieves = !options_.spill.empty() && grown > memory_to_keep();
    if (relieves && !relieve_memory()) return false;
    memory_.look(grown, relieves ? memory() : grown, pace_.max_bytes());
    return true;
  }

  // Levels that grow smaller leave memory to the allocator that others could use: tables that go on
  // growing have pages of their own.
  void give_back_memory() {
    constexpr uint64_t kMuch = uint64_t{4} << 20;
    const uint64_t waiting = s_.current.bytes() + s_.next.bytes();
    most_waiting_ = std::max(most_waiting_, waiting);
    if (most_waiting_ < kMuch || waiting > most_waiting_ / 2) return;
    trim_heap();
    most_waiting_ = waiting;
  }

  bool settle() {
    if (s_.disk.empty()) return true;
    const Result<void> done = s_.settle_with_disk(plan_.has_eventually);
    return done || stop_for(on_disk(done.error()));
  }

  // Moves to disk what need not be at hand.
  bool relieve_memory() {
    Result<void> done = s_.store(options_.spill);
    // Where it is not visited states that take memory, comparing them with the disk gives none
    // back.
    constexpr uint64_t kWorthIt = 16;
    if (done && memory() > memory_to_keep() / 3 * 2 &&
        s_.visited.bytes() >= memory_to_keep() / kWorthIt) {
      done = s_.settle_with_disk(plan_.has_eventually);
    }
    return done || stop_for(on_disk(done.error()));
  }

  // Where one is wanted.
  Result<void> leave_checkpoint() {
    if (options_.checkpoint.empty()) return {};
    if (!s_.disk.empty()) {
      const Result<void> settled = s_.settle_with_disk(plan_.has_eventually);
      if (!settled) return Error{"disk: " + settled.error().message};
    }
    const Result<void> written =
        write_checkpoint(options_.checkpoint, identity_, s_, named_steps(space_.sorts(), out_),
                         s_.disk.empty() && plan_.note != VisitedSet::Note::kNone);
    if (!written) return Error{"checkpoint: " + written.error().message};
    // Writing must not take more than a tenth of the time.
    const double began = round_started_;
    last_checkpoint_ = round_started_ = pace_.seconds();
    if (options_.checkpoint_seconds > 0) {
      checkpoint_pause_ = std::max(options_.checkpoint_seconds, 10 * (last_checkpoint_ - began));
    }
    return {};
  }

  // --- What was found ----------------------------------------------------------------------------
  // What is reported ends at the bound; a search that goes on goes on behind the round.
  void end_at_bound() {
    Result<void> left;
    if (round_is_whole_) left = leave_checkpoint();
    s_.go_back_to_bound();
    if (!left) out_.bound(file_bound(left.error()));
  }

  void finish() {
    // What is only believed to be new must not be counted.
    if (!settle()) out_.distinct_states -= std::min(s_.visited.size(), out_.distinct_states);
    const bool is_through = out_.bounds.empty() && !s_.cut_by_depth && !is_to_end();
    const bool may_go_round =
        s_.has_cycle || s_.may_have_cycle || plan_.order == Order::kDepthFirst;
    const bool asks_for_runs = is_through && !options_.guide && settle_claims(may_go_round);
    const bool asks_for_cycles =
        is_through && plan_.has_eventually && !plan_.any_step && !s_.has_cycle && may_go_round;
    // That may take as long as the search did.
    if (asks_for_runs || asks_for_cycles) {
      if (const auto left = leave_checkpoint(); !left) out_.notes.push_back(left.error().message);
    }
    out_.distinct_states -= std::min(s_.outside, out_.distinct_states);
    out_.outside_states = s_.outside;
    if (s_.cut_by_depth) out_.bound({Bound::Kind::kDepth, options_.max_depth});
    std::stable_sort(s_.hits.begin(), s_.hits.end(),
                     [](const auto& a, const auto& b) { return a.first.step < b.first.step; });
    if (!options_.keep_going && s_.hits.size() > 1) s_.hits.resize(1);
    for (const auto& [hit, count] : s_.hits) {
      Finding finding;
      finding.property = hit.property;
      finding.path = s_.path_to(hit.entry, options_.guide);
      finding.fails = hit.fails;
      finding.failure = hit.failure;
      if (hit.fails || hit.by_step) finding.path.choices.push_back(hit.choice);
      finding.count = count;
      out_.findings.push_back(std::move(finding));
    }
    out_.trouble = s_.trouble_found(options_.guide);
    const bool stopped = !out_.findings.empty() && !options_.keep_going;
    bool is_over = out_.bounds.empty() || stopped || s_.trouble;
    if (s_.trouble || stopped) {
      out_.bound({s_.trouble ? Bound::Kind::kTrouble : Bound::Kind::kViolation});
    }
    out_.table_bytes = s_.visited.bytes() + s_.ancestry.bytes();
    out_.disk_bytes = s_.disk.file_bytes();
    out_.bytes = std::max(out_.bytes, memory());
    out_.cycle = s_.has_cycle && !plan_.any_step && !mutant(Mutant::kCycleMissed);
    if (asks_for_cycles) is_over = look_for_cycles(room_for_more());
    if (asks_for_runs) is_over = look_for_runs(room_for_more(), liveness_);
    if (is_over && !options_.checkpoint.empty()) remove_checkpoint(options_.checkpoint);
  }

  // --- Runs that go on for ever ------------------------------------------------------------------
  // Decides of claims what needs no look at runs. Whether some are left.
  bool settle_claims(bool may_go_round) {
    std::vector<uint32_t> violated;
    for (const auto& [hit, count] : s_.hits) violated.push_back(hit.property);
    return decide_without_runs(space_.properties(), liveness_, may_go_round, violated, out_);
  }

  // What is not needed any more gives its memory back.
  AfterSearch room_for_more() {
    expanders_.clear();
    round_.release();
    s_.release();
    trim_heap();
    return {space_, roots_, options_, plan_, pace_, s_, memory_to_keep(), out_};
  }

  StateSpace& space_;
  const Options& options_;
  const SearchPlan plan_;
  Pace pace_;
  double last_checkpoint_ = 0;
  double checkpoint_pause_ = 0;  // before the next one
  double round_started_ = 0;
  uint64_t most_waiting_ = 0;  // bytes, since memory was given back

  std::vector<StateSpace::Initial> roots_;
  Liveness liveness_;
  Identity identity_;
  std::optional<LockFile> lock_;  // on the checkpoint
  SearchState s_;
  Lookup lookup_;
  Exploration& out_;
  std::vector<Expander> expanders_;  // one per thread
  Round round_;
  MemoryPlan memory_;
  std::atomic<size_t> next_to_expand_{0};
  std::atomic<size_t> next_to_queue_{0};
  std::atomic<bool> cut_{false};
  bool round_is_whole_ = true;  // all that it found was taken over
};

}  // namespace

Exploration search(StateSpace& space, Order order, const Options& options) {
  // The visited set and its buffers are large: not on the stack.
  return std::make_unique<Search>(space, order, options)->run();
}

}  // namespace ordeal::explore
