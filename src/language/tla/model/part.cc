#include "language/tla/model/part.h"

namespace ordeal::tla {

Frame* go_into(Machine& m, Frame* frame, const Into& step) {
  switch (step.kind) {
    case Into::Kind::kCall:
      return static_cast<const CallNode*>(step.node)->enter(m, frame);
    case Into::Kind::kArgument: {
      const Thunk* const thunk = thunk_of(static_cast<const LocalNode*>(step.node)->at(frame));
      return thunk == nullptr ? nullptr : thunk->frame;
    }
    case Into::Kind::kOperator: {
      const auto& call = *static_cast<const CallLocalNode*>(step.node);
      const Closure& operation = call.closure(frame);
      return operation.op == nullptr ? nullptr : call.enter(m, frame, operation);
    }
    case Into::Kind::kLet:
      static_cast<const LetNode*>(step.node)->bind(m, frame);
      return frame;
    case Into::Kind::kBind:
      for (const auto& [slot, value] : step.bound) frame->slot(slot) = value;
      return frame;
  }
  return frame;
}

}  // namespace ordeal::tla
