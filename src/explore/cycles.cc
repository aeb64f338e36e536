// Finds out whether progress actions form a cycle: then a run may go on for ever, and `eventually`
// cannot be decided by looking at terminal states.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/mutant.h"
#include "explore/search.h"
#include "explore/visited.h"

namespace ordeal::explore {
namespace {

// Depth-first search over progress edges. A state that is on the stack is open; meeting it again
// closes a cycle. The visited set keeps the colour as a tag.
class CycleSearch {
 public:
  CycleSearch(StateSpace& space, Pace& pace, const Exploration& so_far)
      : explorer_(space.explorer()), pace_(pace), so_far_(so_far) {}

  CycleSearchResult run(const std::vector<StateSpace::Initial>& roots) {
    for (const auto& root : roots) wait(waiting_, {root.fingerprint, root.state});
    while (!waiting_.empty() && stopped_.empty()) {
      const Waiting next = take(waiting_);
      if (explore(next)) return {true, ""};
    }
    return {false, stopped_};
  }

 private:
  static constexpr uint32_t kDone = 1;
  static constexpr uint32_t kOpen = 2;

  struct Waiting {
    uint64_t fingerprint;
    std::vector<uint32_t> state;
  };
  struct Frame {
    uint64_t fingerprint;
    std::vector<Waiting> successors;  // by progress actions, not looked at yet
  };
  struct Successor {
    uint64_t fingerprint;
    size_t begin;
    size_t end;
    bool progress;
  };

  void wait(std::vector<Waiting>& list, Waiting state) {
    waiting_bytes_ += sizeof(Waiting) + state.state.size() * sizeof(uint32_t);
    list.push_back(std::move(state));
  }
  Waiting take(std::vector<Waiting>& list) {
    Waiting state = std::move(list.back());
    list.pop_back();
    waiting_bytes_ -= sizeof(Waiting) + state.state.size() * sizeof(uint32_t);
    return state;
  }

  bool explore(const Waiting& root) {
    if (seen_.contains(root.fingerprint)) return false;
    if (open(root)) return true;
    while (!stack_.empty()) {
      stopped_ = pace_.look(so_far_, stack_.size(), seen_.bytes() + waiting_bytes_);
      if (!stopped_.empty()) return false;
      Frame& frame = stack_.back();
      if (frame.successors.empty()) {
        seen_.set_tag(seen_.find_place(frame.fingerprint), kDone);
        stack_.pop_back();
        continue;
      }
      const Waiting next = take(frame.successors);
      const VisitedSet::Place known = seen_.find_place(next.fingerprint);
      if (known.is_new) {
        if (open(next)) return true;
      } else if (known.tag == kOpen && !mutant(Mutant::kCycleMissed)) {
        return true;
      }
    }
    return false;
  }

  // Puts a state on the stack. True: one of its successors is on the stack already.
  bool open(const Waiting& node) {
    seen_.put(node.fingerprint, 0, kOpen);
    stack_.emplace_back().fingerprint = node.fingerprint;
    if (!explorer_->within(node.state)) return false;
    choices_.clear();
    words_.clear();
    successors_.clear();
    explorer_->enumerate(node.state, choices_);
    for (const Choice& choice : choices_) {
      if (choice.fails) continue;
      Successor next;
      next.begin = words_.size();
      next.fingerprint = explorer_->apply(node.state, node.fingerprint, choice, words_);
      next.end = words_.size();
      next.progress = choice.progress;
      seen_.prefetch(next.fingerprint);
      successors_.push_back(next);
    }
    for (const Successor& next : successors_) {
      const VisitedSet::Place known = seen_.find_place(next.fingerprint);
      if (known.is_new) {
        std::vector<Waiting>& list = next.progress ? stack_.back().successors : waiting_;
        wait(list, {next.fingerprint,
                    {words_.begin() + static_cast<ptrdiff_t>(next.begin),
                     words_.begin() + static_cast<ptrdiff_t>(next.end)}});
      } else if (next.progress && known.tag == kOpen && !mutant(Mutant::kCycleMissed)) {
        return true;
      }
    }
    return false;
  }

  std::unique_ptr<Explorer> explorer_;
  Pace& pace_;
  const Exploration& so_far_;
  VisitedSet seen_;
  std::vector<Waiting> waiting_;
  uint64_t waiting_bytes_ = 0;
  std::string stopped_;
  std::vector<Frame> stack_;
  std::vector<Choice> choices_;
  std::vector<uint32_t> words_;
  std::vector<Successor> successors_;
};

}  // namespace

CycleSearchResult find_progress_cycle(StateSpace& space,
                                      const std::vector<StateSpace::Initial>& roots, Pace& pace,
                                      const Exploration& so_far) {
  return std::make_unique<CycleSearch>(space, pace, so_far)->run(roots);
}

}  // namespace ordeal::explore
