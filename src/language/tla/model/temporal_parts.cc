#include "language/tla/model/temporal_parts.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "language/tla/model/part.h"

namespace ordeal::tla {

const CallNode* plain_call(const Node& node) {
  const auto* const call = dynamic_cast<const CallNode*>(&node);
  if (call == nullptr || !call->arguments.empty() || !call->instances.empty() || call->has_home) {
    return nullptr;
  }
  return call;
}

namespace {

// Goes through a formula with the names of its frames. What is passed for a parameter is only known
// there; nodes know their own level without it.
class Levels {
 public:
  // `deeper`: so many frames lie between the node's and `f`, in which nothing has been passed.
  Level of(const Node& node, Frame* f, uint32_t deeper) {
    if (node.level == Level::kTemporal || dynamic_cast<const ConstantNode*>(&node) != nullptr ||
        dynamic_cast<const EnabledNode*>(&node) != nullptr) {
      return node.level;
    }
    if (const auto* local = dynamic_cast<const LocalNode*>(&node)) {
      Frame* const home = up(f, local->hops, deeper);
      const Thunk* const thunk = home == nullptr ? nullptr : thunk_of(home->slot(local->slot));
      return thunk == nullptr ? node.level : most(node.level, of(*thunk->node, thunk->frame, 0));
    }
    Level level = node.level;
    if (const auto* call = dynamic_cast<const CallLocalNode*>(&node)) {
      Frame* const home = up(f, call->hops, deeper);
      if (home != nullptr) {
        const auto* const pending = home->slot(call->slot).is_pending()
                                        ? static_cast<const Pending*>(home->slot(call->slot).what())
                                        : nullptr;
        if (pending != nullptr && pending->kind == Pending::Kind::kClosure) {
          level = most(level, body(static_cast<const Closure*>(pending)->op,
                                   static_cast<const Closure*>(pending)->up));
        }
      }
    }
    if (const auto* call = dynamic_cast<const CallNode*>(&node)) {
      // Within its own definition its level was not known yet.
      level = most(level, call->op->level);
      if (call->has_home && call->instances.empty()) {
        if (Frame* const home = up(f, call->hops, deeper)) {
          level = most(level, body(call->op, home));
        }
      }
    }
    if (const auto* function = dynamic_cast<const FunctionNode*>(&node);
        function != nullptr && function->is_recursive) {
      for (const BoundSet& bound : function->bounds) level = most(level, of(*bound.set, f, deeper));
      return most(level, of(*function->body, f, deeper + 1));
    }
    std::vector<const Node*> children;
    node.children(children);
    for (const Node* child : children) {
      if (child != nullptr) level = most(level, of(*child, f, deeper));
    }
    return level;
  }

 private:
  static Level most(Level a, Level b) { return std::max(a, b); }

  static Frame* up(Frame* f, uint32_t hops, uint32_t deeper) {
    if (hops < deeper) return nullptr;
    for (uint32_t i = deeper; i < hops && f != nullptr; ++i) f = f->up;
    return f;
  }

  // Of an operator that is defined in the frame: its body mentions what was passed around it.
  Level body(const Operator* op, Frame* home) {
    if (op == nullptr || op->body == nullptr) return Level::kConstant;
    if (!entered_.insert(op).second) return op->level;
    return home == nullptr ? op->level : most(op->level, of(*op->body, home, 1));
  }

  std::set<const Operator*> entered_;
};

WhenStill opposite(WhenStill still) {
  return still == WhenStill::kDepends ? still
         : still == WhenStill::kTrue  ? WhenStill::kFalse
                                      : WhenStill::kTrue;
}

// Of a list of formulas: one decides, or all say the same.
class Several {
 public:
  explicit Several(bool is_and) : decides_(is_and ? WhenStill::kFalse : WhenStill::kTrue) {}
  void add(WhenStill still) {
    decided_ = decided_ || still == decides_;
    depends_ = depends_ || still == WhenStill::kDepends;
  }
  WhenStill result() const {
    return decided_ ? decides_ : depends_ ? WhenStill::kDepends : opposite(decides_);
  }

 private:
  WhenStill decides_;
  bool decided_ = false;
  bool depends_ = false;
};

}  // namespace

Level level_of(const Node& node, Frame* frame) { return Levels().of(node, frame, 0); }

WhenStill when_still(Machine& m, const Node& node, Frame* f) {
  m.enter();
  if (const auto* box = dynamic_cast<const BoxNode*>(&node)) {
    return box->is_box ? WhenStill::kTrue : WhenStill::kFalse;
  }
  if (const auto* list = dynamic_cast<const ListNode*>(&node)) {
    Several all(list->is_and);
    for (const NodeRef& item : list->items) all.add(when_still(m, *item, f));
    return all.result();
  }
  if (const auto* no = dynamic_cast<const NotNode*>(&node)) {
    return opposite(when_still(m, *no->child, f));
  }
  if (const auto* implies = dynamic_cast<const ImpliesNode*>(&node)) {
    Several any(false);
    any.add(opposite(when_still(m, *implies->left, f)));
    any.add(when_still(m, *implies->right, f));
    return any.result();
  }
  if (const auto* quantifier = dynamic_cast<const QuantifierNode*>(&node)) {
    // Of no elements \A is true and \E is false.
    const WhenStill body = when_still(m, *quantifier->body, f);
    const bool is_all = quantifier->which == Quantifier::kForAll;
    return body == (is_all ? WhenStill::kTrue : WhenStill::kFalse) ? body : WhenStill::kDepends;
  }
  if (const auto* let = dynamic_cast<const LetNode*>(&node)) {
    let->bind(m, f);
    return when_still(m, *let->body, f);
  }
  if (const auto* call = dynamic_cast<const CallNode*>(&node);
      call != nullptr && call->op->body != nullptr && call->level >= Level::kAction) {
    return when_still(m, *call->op->body, call->enter(m, f));
  }
  if (const auto* local = dynamic_cast<const LocalNode*>(&node)) {
    const Thunk* const thunk = thunk_of(local->at(f));
    if (thunk != nullptr) return when_still(m, *thunk->node, thunk->frame);
  }
  return WhenStill::kDepends;
}

std::string written(const Sources& sources, const Place& place) {
  std::string out;
  for (uint32_t line = place.line; line <= place.end_line; ++line) {
    std::string_view text = sources.line(place.file, line);
    const size_t end =
        line == place.end_line ? std::min<size_t>(place.end_column, text.size()) : text.size();
    const size_t begin = line == place.line ? std::min<size_t>(place.column - 1, end) : 0;
    for (const char c : text.substr(begin, end - begin)) {
      const bool blank = c == ' ' || c == '\t';
      if (blank && (out.empty() || out.back() == ' ')) continue;
      out += blank ? ' ' : c;
    }
    if (line < place.end_line && !out.empty() && out.back() != ' ') out += ' ';
  }
  constexpr size_t kWidth = 80;
  return cut_to(out, kWidth);
}

}  // namespace ordeal::tla
