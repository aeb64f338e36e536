// Finds out whether progress actions form a cycle: then a run may go on for ever, and `eventually`
// cannot be decided by looking at terminal states.
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/mutant.h"
#include "explore/search.h"
#include "explore/visited.h"

namespace ordeal::explore {
namespace {

// Depth-first search over progress edges. A state that is on the stack is open; meeting it again
// closes a cycle. The visited set keeps the colour where it would keep the depth.
class CycleSearch {
 public:
  CycleSearch(StateSpace& space, Pace& pace, Exploration& so_far)
      : explorer_(space.explorer()), pace_(pace), so_far_(so_far), seen_(true) {}

  bool run(const std::vector<StateSpace::Initial>& roots) {
    for (const auto& root : roots) waiting_.push_back({root.fingerprint, root.state});
    while (!waiting_.empty()) {
      const Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      if (explore(next)) return true;
    }
    return false;
  }

 private:
  static constexpr uint32_t kDone = 0;
  static constexpr uint32_t kOpen = 1;

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

  bool explore(const Waiting& root) {
    if (seen_.contains(root.fingerprint)) return false;
    if (open(root)) return true;
    while (!stack_.empty()) {
      if (!pace_.look(so_far_, stack_.size(), so_far_.bytes).empty()) return true;
      Frame& frame = stack_.back();
      if (frame.successors.empty()) {
        seen_.insert(frame.fingerprint, kDone);
        stack_.pop_back();
        continue;
      }
      const Waiting next = std::move(frame.successors.back());
      frame.successors.pop_back();
      const VisitedSet::Answer known = seen_.find(next.fingerprint);
      if (known.found == VisitedSet::Found::kNew) {
        if (open(next)) return true;
      } else if (known.depth == kOpen && !mutant(Mutant::kCycleMissed)) {
        return true;
      }
    }
    return false;
  }

  // Puts a state on the stack. True: one of its successors is on the stack already.
  bool open(const Waiting& node) {
    seen_.insert(node.fingerprint, kOpen);
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
      const VisitedSet::Answer known = seen_.find(next.fingerprint);
      if (known.found == VisitedSet::Found::kNew) {
        std::vector<Waiting>& list = next.progress ? stack_.back().successors : waiting_;
        list.push_back({next.fingerprint,
                        {words_.begin() + static_cast<ptrdiff_t>(next.begin),
                         words_.begin() + static_cast<ptrdiff_t>(next.end)}});
      } else if (next.progress && known.depth == kOpen && !mutant(Mutant::kCycleMissed)) {
        return true;
      }
    }
    return false;
  }

  std::unique_ptr<Explorer> explorer_;
  Pace& pace_;
  Exploration& so_far_;
  VisitedSet seen_;
  std::vector<Waiting> waiting_;
  std::vector<Frame> stack_;
  std::vector<Choice> choices_;
  std::vector<uint32_t> words_;
  std::vector<Successor> successors_;
};

}  // namespace

bool has_progress_cycle(StateSpace& space, const std::vector<StateSpace::Initial>& roots,
                        Pace& pace, Exploration& so_far) {
  return std::make_unique<CycleSearch>(space, pace, so_far)->run(roots);
}

}  // namespace ordeal::explore
