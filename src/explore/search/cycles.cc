#include "explore/search/cycles.h"

#include <memory>
#include <utility>

#include "base/mutant.h"
#include "explore/store/visited.h"

namespace ordeal::explore {
namespace {

// States with their fingerprints, last in first out, in one row of words.
class StateStack {
 public:
  struct State {
    uint64_t fingerprint = 0;
    uint64_t second = 0;
    std::vector<uint32_t> words;
  };

  void push(uint64_t fingerprint, uint64_t second, StateRef words) {
    words_.insert(words_.end(), words.begin(), words.end());
    for (const uint64_t half : {fingerprint, second}) {
      words_.push_back(static_cast<uint32_t>(half));
      words_.push_back(static_cast<uint32_t>(half >> 32));
    }
    words_.push_back(static_cast<uint32_t>(words.size()));
  }
  // REQUIRES: not empty.
  void pop(State& out) {
    const uint32_t* end = words_.data() + words_.size();
    const size_t size = end[-1];
    out.fingerprint = static_cast<uint64_t>(end[-4]) << 32 | end[-5];
    out.second = static_cast<uint64_t>(end[-2]) << 32 | end[-3];
    out.words.assign(end - kBehind - size, end - kBehind);
    words_.resize(words_.size() - kBehind - size);
  }
  size_t height() const { return words_.size(); }
  bool empty() const { return words_.empty(); }
  uint64_t bytes() const { return words_.capacity() * sizeof(uint32_t); }

 private:
  static constexpr size_t kBehind = 5;  // words behind those of a state
  std::vector<uint32_t> words_;
};

// Depth-first search over progress edges. A state that is on the stack is open; meeting it again
// closes a cycle. The visited set keeps the colour as a tag.
class CycleSearch {
 public:
  explicit CycleSearch(const CycleSearchTask& task)
      : task_(task),
        wide_(task.options.wide_fingerprints),
        explorer_(task.space.explorer()),
        seen_(wide_) {}

  CycleSearchResult run() {
    for (const auto& root : task_.roots) {
      waiting_.push(root.fingerprint, second_of(root.state), root.state);
    }
    bool cycle = false;
    while (!cycle && !waiting_.empty() && may_go_on()) {
      waiting_.pop(here_);
      cycle = explore();
    }
    look_at_memory();
    result_.cycle = cycle;
    return std::move(result_);
  }

 private:
  static constexpr uint32_t kDone = 1;
  static constexpr uint32_t kOpen = 2;
  static constexpr uint64_t kSteps = 256;  // between two looks at memory

  struct Frame {
    uint64_t fingerprint;
    uint64_t second;
    size_t below;  // where its successors begin on the stack
  };
  struct Successor {
    uint64_t fingerprint;
    uint64_t second;
    size_t begin;
    size_t end;
    bool progress;
  };

  uint64_t second_of(StateRef state) const {
    return wide_ ? explorer_->second_fingerprint(state) : 0;
  }
  bool is_open(const VisitedSet::Place& place) const {
    return !place.is_new && place.tag == kOpen && !mutant(Mutant::kCycleMissed);
  }

  void look_at_memory() {
    bytes_ = task_.held_bytes + task_.space.statistics().bytes + explorer_->bytes() +
             seen_.bytes() + stack_.bytes() + waiting_.bytes() + frames_.capacity() * sizeof(Frame);
    result_.bytes = std::max(result_.bytes, bytes_);
  }

  bool may_go_on() {
    if (steps_++ % kSteps == 0) look_at_memory();
    result_.too_large = bytes_ > task_.most_bytes;
    result_.stopped = task_.pace.look(task_.so_far, frames_.size(), bytes_);
    return !result_.too_large && !result_.stopped;
  }

  // From the state at hand, if it was not seen before. True: there is a cycle.
  bool explore() {
    if (seen_.contains(here_.fingerprint, here_.second)) return false;
    if (open()) return true;
    while (!frames_.empty()) {
      if (!may_go_on()) return false;
      const Frame& frame = frames_.back();
      if (stack_.height() == frame.below) {
        seen_.set_tag(seen_.find_place(frame.fingerprint, frame.second), kDone);
        frames_.pop_back();
        continue;
      }
      stack_.pop(here_);
      const VisitedSet::Place known = seen_.find_place(here_.fingerprint, here_.second);
      if (is_open(known) || (known.is_new && open())) return true;
    }
    return false;
  }

  // Puts the state at hand on the stack. True: one of its successors is open already.
  bool open() {
    seen_.put(here_.fingerprint, here_.second, kOpen);
    frames_.push_back({here_.fingerprint, here_.second, stack_.height()});
    if (!explorer_->within(here_.words)) return false;
    choices_.clear();
    words_.clear();
    successors_.clear();
    explorer_->enumerate(here_.words, choices_);
    for (const Choice& choice : choices_) {
      if (choice.fails || choice.outside) continue;
      Successor next;
      next.begin = words_.size();
      next.fingerprint = explorer_->apply(here_.words, here_.fingerprint, choice, words_);
      next.end = words_.size();
      next.second = second_of(StateRef(words_).subspan(next.begin));
      next.progress = choice.progress || task_.any_step;
      seen_.prefetch(next.fingerprint);
      successors_.push_back(next);
    }
    for (const Successor& next : successors_) {
      const VisitedSet::Place known = seen_.find_place(next.fingerprint, next.second);
      if (next.progress && is_open(known)) return true;
      if (!known.is_new) continue;
      (next.progress ? stack_ : waiting_)
          .push(next.fingerprint, next.second,
                StateRef(words_).subspan(next.begin, next.end - next.begin));
    }
    return false;
  }

  const CycleSearchTask& task_;
  const bool wide_;
  std::unique_ptr<Explorer> explorer_;
  VisitedSet seen_;
  StateStack stack_;    // successors of the frames by progress actions, not looked at yet
  StateStack waiting_;  // successors by other actions: where other searches begin
  std::vector<Frame> frames_;
  StateStack::State here_;
  std::vector<Choice> choices_;
  std::vector<uint32_t> words_;
  std::vector<Successor> successors_;
  uint64_t steps_ = 0;
  uint64_t bytes_ = 0;
  CycleSearchResult result_;
};

}  // namespace

CycleSearchResult find_cycle_in_memory(const CycleSearchTask& task) {
  return std::make_unique<CycleSearch>(task)->run();
}

}  // namespace ordeal::explore
