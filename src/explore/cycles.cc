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

// Depth-first search over progress edges; a state is open while it is on the stack. Two visited
// sets serve as colours.
class CycleSearch {
 public:
  CycleSearch(StateSpace& space, Pace& pace, Exploration& so_far)
      : explorer_(space.explorer()), pace_(pace), so_far_(so_far) {}

  bool run(const std::vector<StateSpace::Initial>& roots) {
    for (const auto& root : roots) waiting_.push_back({root.fingerprint, root.state});
    while (!waiting_.empty()) {
      Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      if (explore(next)) return true;
    }
    return false;
  }

 private:
  struct Waiting {
    uint64_t fingerprint;
    std::vector<uint32_t> state;
  };
  struct Frame {
    uint64_t fingerprint;
    std::vector<Waiting> successors;  // by progress actions, not looked at yet
  };

  bool explore(Waiting& root) {
    if (started_.contains(root.fingerprint)) return false;
    open(root);
    while (!stack_.empty()) {
      if (!pace_.look(so_far_, stack_.size(), so_far_.bytes).empty()) return true;
      Frame& frame = stack_.back();
      if (frame.successors.empty()) {
        finished_.insert(frame.fingerprint, 0);
        stack_.pop_back();
        continue;
      }
      Waiting next = std::move(frame.successors.back());
      frame.successors.pop_back();
      if (!started_.contains(next.fingerprint)) {
        open(next);
      } else if (!finished_.contains(next.fingerprint) && !mutant(Mutant::kCycleMissed)) {
        return true;
      }
    }
    return false;
  }

  void open(const Waiting& node) {
    started_.insert(node.fingerprint, 0);
    Frame frame;
    frame.fingerprint = node.fingerprint;
    if (explorer_->within(node.state)) {
      choices_.clear();
      explorer_->enumerate(node.state, choices_);
      for (const Choice& choice : choices_) {
        if (choice.fails) continue;
        Waiting next;
        next.fingerprint = explorer_->apply(node.state, node.fingerprint, choice, next.state);
        if (choice.progress) {
          frame.successors.push_back(std::move(next));
        } else if (!started_.contains(next.fingerprint)) {
          waiting_.push_back(std::move(next));
        }
      }
    }
    stack_.push_back(std::move(frame));
  }

  std::unique_ptr<Explorer> explorer_;
  Pace& pace_;
  Exploration& so_far_;
  VisitedSet started_;
  VisitedSet finished_;
  std::vector<Waiting> waiting_;
  std::vector<Frame> stack_;
  std::vector<Choice> choices_;
};

}  // namespace

bool has_progress_cycle(StateSpace& space, const std::vector<StateSpace::Initial>& roots,
                        Pace& pace, Exploration& so_far) {
  return std::make_unique<CycleSearch>(space, pace, so_far)->run(roots);
}

}  // namespace ordeal::explore
