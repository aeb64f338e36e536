#include "language/tla/model/temporal.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "language/tla/model/specification.h"
#include "language/tla/model/temporal_parts.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {

using Is = Formula::Is;

Formula both(std::vector<Formula> parts, bool is_and) {
  const Is neutral = is_and ? Is::kTrue : Is::kFalse;
  const Is decides = is_and ? Is::kFalse : Is::kTrue;
  std::vector<Formula> out;
  for (Formula& part : parts) {
    if (part.is == neutral) continue;
    if (part.is == decides) return {.is = decides};
    if (part.is == (is_and ? Is::kAnd : Is::kOr)) {
      for (Formula& inner : part.parts) out.push_back(std::move(inner));
    } else if (std::find(out.begin(), out.end(), part) == out.end()) {
      out.push_back(std::move(part));
    }
  }
  if (out.empty()) return {.is = neutral};
  if (out.size() == 1) return std::move(out[0]);
  return {.is = is_and ? Is::kAnd : Is::kOr, .parts = std::move(out)};
}

Formula opposite(Formula of) {
  if (of.is == Is::kTrue) return {.is = Is::kFalse};
  if (of.is == Is::kFalse) return {.is = Is::kTrue};
  if (of.is == Is::kNot) return std::move(of.parts[0]);
  return formula::negation(std::move(of));
}

Formula ever(Formula of, bool always) {
  if (of.is == Is::kTrue || of.is == Is::kFalse) return of;
  if (of.is == (always ? Is::kAlways : Is::kEventually)) return of;
  return always ? formula::always(std::move(of)) : formula::eventually(std::move(of));
}

std::string to_text(const Formula& formula) {
  const auto list = [&](const char* between) {
    std::string out = "(";
    for (const Formula& part : formula.parts) {
      out += (out.size() == 1 ? "" : between) + to_text(part);
    }
    return out + ")";
  };
  switch (formula.is) {
    case Is::kTrue:
      return "TRUE";
    case Is::kFalse:
      return "FALSE";
    case Is::kState:
      return "s" + std::to_string(formula.atom);
    case Is::kStep:
      return "t" + std::to_string(formula.atom);
    case Is::kNot:
      return "~" + to_text(formula.parts[0]);
    case Is::kAnd:
      return list(" /\\ ");
    case Is::kOr:
      return list(" \\/ ");
    case Is::kAlways:
      return "[]" + to_text(formula.parts[0]);
    case Is::kEventually:
      return "<>" + to_text(formula.parts[0]);
  }
  return "";
}

Temporal::Temporal(Specification& specification)
    : spec_(specification),
      machine_(spec_.variables().size(), spec_.compiler().constants(), spec_.host()) {}

Formula Temporal::assumed() const { return both(assumed_, true); }

namespace {

// Where the definition is that this names, through others; null: it names none.
const Operator* innermost_definition(const Node* node) {
  const Operator* out = nullptr;
  for (const CallNode* call = plain_call(*node); call != nullptr; call = plain_call(*node)) {
    out = call->op;
    node = call->op->body;
  }
  return out;
}

}  // namespace

const Layout* Temporal::layout(uint32_t slots) {
  auto& known = layouts_[slots];
  if (known == nullptr) known = std::make_unique<Layout>(Layout{nullptr, slots});
  return known.get();
}

uint32_t Temporal::atom(bool of_step, Atom::Is is, const Part& part) {
  Key key{static_cast<uint64_t>(of_step) * 8 + static_cast<uint64_t>(is)};
  const auto* const box = dynamic_cast<const BoxNode*>(part.node);
  const Operator* const action = box == nullptr ? nullptr : innermost_definition(box->action.get());
  if (action != nullptr && !box->variables.empty()) {
    // It is the same wherever it is written.
    key.push_back(reinterpret_cast<uintptr_t>(action));
    key.push_back(box->is_box);
    key.insert(key.end(), box->variables.begin(), box->variables.end());
  } else {
    key.push_back(reinterpret_cast<uintptr_t>(part.node));
    key.push_back(reinterpret_cast<uintptr_t>(part.layout));
  }
  Atom atom;
  atom.is = is;
  atom.part = part;
  Heap scratch;
  for (Into& step : atom.part.way) {
    key.push_back(static_cast<uint64_t>(step.kind));
    key.push_back(reinterpret_cast<uintptr_t>(step.node));
    for (auto& [slot, value] : step.bound) {
      value = deep_normal(machine_.heap(), value);
      if (mutant(TlaMutant::kBoundNamesForgotten)) continue;
      key.push_back(slot);
      key.push_back(spec_.pool().intern(scratch, value).word());
    }
  }
  std::vector<Atom>& atoms = of_step ? of_steps_ : of_states_;
  const auto [known, is_new] = known_.emplace(std::move(key), static_cast<uint32_t>(atoms.size()));
  if (!is_new) return known->second;
  if (box != nullptr && !box->is_box && is != Atom::Is::kFalse && !box->variables.empty() &&
      action != nullptr && action == spec_.whole_next()) {
    atom.of_next = box;
  }
  atoms.push_back(std::move(atom));
  return known->second;
}

// Takes formulas apart, in a machine that has no state.
class Temporal::Translator {
 public:
  explicit Translator(Temporal& temporal) : t_(temporal), m_(temporal.machine_) {
    t_.spec_.prepare(m_);
  }

  Formula formula(const Part& part) {
    way_ = {nullptr, part.layout, part.name, part.way};
    return of(*part.node, part.frame(m_), Below::kNothing);
  }

  void assume(const Part& part) {
    assuming_ = true;
    way_ = {nullptr, part.layout, part.name, part.way};
    assume(*part.node, part.frame(m_));
  }

 private:
  // What an action stands below, that is what it may be.
  enum class Below : uint8_t { kNothing, kAlways, kEventually };
  static Below opposite_of(Below below) {
    return below == Below::kNothing  ? below
           : below == Below::kAlways ? Below::kEventually
                                     : Below::kAlways;
  }

  // Where the formula is. Names that it does not mention make no difference, so that it is one atom
  // for all of their values; one that mentions bound names alone needs no more of the way there.
  Part here(const Node& node, Frame* f) {
    Part out = way_;
    out.node = &node;
    if (node.outer) return out;
    size_t bound = node.free.empty() ? 0 : out.way.size();
    if (node.free.empty()) out.way.clear();
    while (bound > 0 && out.way[bound - 1].kind == Into::Kind::kBind) --bound;
    if (bound > 0 && out.way[bound - 1].kind == Into::Kind::kLet) return out;
    const auto is_free = [&](uint32_t slot) {
      return std::find(node.free.begin(), node.free.end(), slot) != node.free.end();
    };
    size_t known = 0;
    for (size_t i = bound; i < out.way.size(); ++i) {
      std::erase_if(out.way[i].bound, [&](const auto& one) { return !is_free(one.first); });
      known += out.way[i].bound.size();
    }
    std::erase_if(out.way, [](const Into& step) {
      return step.kind == Into::Kind::kBind && step.bound.empty();
    });
    if (known < node.free.size()) return out;
    out.way.erase(out.way.begin(), out.way.begin() + static_cast<ptrdiff_t>(bound));
    out.layout = t_.layout(f->size);
    return out;
  }

  // Goes one step further in, for as long as `run` takes.
  template <class F>
  auto within(Into step, Frame* f, F&& run) {
    Frame* const inner = go_into(m_, f, step);
    way_.way.push_back(std::move(step));
    struct Back {
      Part& way;
      ~Back() { way.way.pop_back(); }
    } back{way_};
    return run(inner);
  }

  // A definition: without arguments it is the same wherever it is named.
  template <class F>
  auto within_call(const CallNode& call, Frame* f, F&& run) {
    if (++depth_ > kDeepest) refuse(call, "definitions name each other too deeply here");
    struct Up {
      uint32_t& depth;
      ~Up() { --depth; }
    } up{depth_};
    if (plain_call(call) == nullptr) {
      return within({Into::Kind::kCall, &call, {}}, f, run);
    }
    Part before{nullptr, &call.op->layout, way_.name, {}};
    std::swap(before, way_);
    struct Back {
      Part& way;
      Part& before;
      ~Back() { std::swap(before, way); }
    } back{way_, before};
    return run(way_.frame(m_));
  }

  // For every way to bind the names; their sets must be constant.
  template <class F>
  void each(const QuantifierNode& node, Frame* f, F&& run) {
    for (const BoundSet& bound : node.bounds) {
      if (level_of(*bound.set, f) == Level::kConstant) continue;
      refuse(*bound.set,
             "the set that a name is bound to around a formula about behaviours must not depend on "
             "the state: take a constant set, and say that the element is in this one where that "
             "matters");
    }
    const BoundValues values(m_, f, node.bounds);
    values.check_walks(m_);
    size_t count = 0;
    values.each(m_, f, [&] {
      constexpr size_t kMost = 100'000;
      if (++count > kMost) refuse(node, "there are more than 100,000 elements here");
      Into step{Into::Kind::kBind, &node, {}};
      for (const BoundSet& bound : node.bounds) {
        for (const uint32_t slot : bound.slots) step.bound.emplace_back(slot, f->slot(slot));
      }
      within(std::move(step), f, run);
      return !assuming_ || !mutant(TlaMutant::kFairToTheFirst);
    });
  }

  Formula of_temporal(const TemporalNode& node, Frame* f) {
    const Node* const first = node.items.empty() ? nullptr : node.items[0].get();
    if (node.what == "[]") return ever(of(*first, f, Below::kAlways), true);
    if (node.what == "<>") return ever(of(*first, f, Below::kEventually), false);
    if (node.what == "~>") {
      Formula from = opposite(of(*first, f, Below::kEventually));
      Formula to = ever(of(*node.items[1], f, Below::kEventually), false);
      Formula now = both({std::move(from), std::move(to)}, false);
      return mutant(TlaMutant::kLeadsToOnce) ? now : ever(std::move(now), true);
    }
    if (node.what == "WF" || node.what == "SF") {
      Formula disabled = formula::negation(formula::state(enabled(*first, f)));
      Formula taken = formula::step(t_.atom(true, Atom::Is::kTrue, here(*first, f)));
      if (node.what == "WF") {
        return ever(ever(both({std::move(disabled), std::move(taken)}, false), false), true);
      }
      return both(
          {ever(ever(std::move(disabled), true), false), ever(ever(std::move(taken), false), true)},
          false);
    }
    if (node.what == "-+->") {
      refuse(node, "F -+-> G is not checked: say F => G where F does not come to an end by G");
    }
    refuse(node, node.what +
                     " hides a variable that nobody knows: instantiate the module with an "
                     "expression in its place (INSTANCE … WITH)");
  }

  uint32_t enabled(const Node& action, Frame* f) {
    return t_.atom(false, Atom::Is::kEnabled, here(action, f));
  }

  Formula of(const Node& node, Frame* f, Below below) {
    m_.enter();
    if (const auto* refused = dynamic_cast<const RefusedNode*>(&node)) refuse(node, refused->why);
    const Level level = level_of(node, f);
    if (level == Level::kConstant && node.pure) {
      if (const std::optional<bool> known = constant(node, f)) {
        return {.is = *known ? Is::kTrue : Is::kFalse};
      }
    }
    if (level <= Level::kState) {
      return formula::state(t_.atom(false, Atom::Is::kTrue, here(node, f)));
    }
    if (level == Level::kAction && below != Below::kNothing) {
      const WhenStill still = when_still(m_, node, f);
      if (still == WhenStill::kTrue && below == Below::kAlways) {
        return formula::negation(formula::step(t_.atom(true, Atom::Is::kFalse, here(node, f))));
      }
      if (still == WhenStill::kFalse && below == Below::kEventually) {
        return formula::step(t_.atom(true, Atom::Is::kTrue, here(node, f)));
      }
    }
    return taken_apart(node, f, below);
  }

  Formula taken_apart(const Node& node, Frame* f, Below below) {
    if (const auto* temporal = dynamic_cast<const TemporalNode*>(&node)) {
      return of_temporal(*temporal, f);
    }
    if (const auto* list = dynamic_cast<const ListNode*>(&node)) {
      std::vector<Formula> parts;
      for (const NodeRef& item : list->items) parts.push_back(of(*item, f, below));
      return both(std::move(parts), list->is_and);
    }
    if (const auto* no = dynamic_cast<const NotNode*>(&node)) {
      return opposite(of(*no->child, f, opposite_of(below)));
    }
    if (const auto* implies = dynamic_cast<const ImpliesNode*>(&node)) {
      Formula left = opposite(of(*implies->left, f, opposite_of(below)));
      return both({std::move(left), of(*implies->right, f, below)}, false);
    }
    if (const auto* same = dynamic_cast<const EquivalentNode*>(&node)) {
      const Formula left = of(*same->left, f, Below::kNothing);
      const Formula right = of(*same->right, f, Below::kNothing);
      return both({both({left, right}, true), both({opposite(left), opposite(right)}, true)},
                  false);
    }
    if (const auto* test = dynamic_cast<const IfNode*>(&node)) {
      return choice(
          of(*test->test, f, Below::kNothing), [&] { return of(*test->then, f, below); },
          [&] { return of(*test->otherwise, f, below); });
    }
    if (const auto* cases = dynamic_cast<const CaseNode*>(&node)) return arms(*cases, 0, f, below);
    if (const auto* quantifier = dynamic_cast<const QuantifierNode*>(&node)) {
      std::vector<Formula> parts;
      each(*quantifier, f,
           [&](Frame* inner) { parts.push_back(of(*quantifier->body, inner, below)); });
      return both(std::move(parts), quantifier->which == Quantifier::kForAll);
    }
    return gone_into(node, f, below);
  }

  Formula gone_into(const Node& node, Frame* f, Below below) {
    if (const auto* let = dynamic_cast<const LetNode*>(&node)) {
      return within({Into::Kind::kLet, let, {}}, f,
                    [&](Frame* inner) { return of(*let->body, inner, below); });
    }
    if (const auto* call = dynamic_cast<const CallNode*>(&node);
        call != nullptr && call->op->body != nullptr) {
      return within_call(*call, f, [&](Frame* inner) { return of(*call->op->body, inner, below); });
    }
    if (const auto* local = dynamic_cast<const LocalNode*>(&node)) {
      if (const Thunk* thunk = thunk_of(local->at(f))) {
        return within({Into::Kind::kArgument, local, {}}, f,
                      [&](Frame* inner) { return of(*thunk->node, inner, below); });
      }
    }
    if (const auto* call = dynamic_cast<const CallLocalNode*>(&node)) {
      const Closure& operation = call->closure(f);
      if (operation.op != nullptr) {
        return within({Into::Kind::kOperator, call, {}}, f,
                      [&](Frame* inner) { return of(*operation.op->body, inner, below); });
      }
    }
    fail_at(node, f, below);
  }

  // IF … THEN … ELSE …, and only the branch that is taken where that is known.
  template <class Then, class Otherwise>
  static Formula choice(Formula test, Then&& then, Otherwise&& otherwise) {
    if (test.is == Is::kTrue) return then();
    if (test.is == Is::kFalse) return otherwise();
    Formula yes = both({test, then()}, true);
    return both({std::move(yes), both({opposite(std::move(test)), otherwise()}, true)}, false);
  }

  Formula arms(const CaseNode& node, size_t at, Frame* f, Below below) {
    if (at == node.arms.size()) {
      if (node.other == nullptr) refuse(node, "a CASE about behaviours needs an OTHER");
      return of(*node.other, f, below);
    }
    return choice(
        of(*node.arms[at].first, f, Below::kNothing),
        [&] { return of(*node.arms[at].second, f, below); },
        [&] { return arms(node, at + 1, f, below); });
  }

  std::optional<bool> constant(const Node& node, Frame* f) {
    try {
      return node.truth(m_, f);
    } catch (const EvalError&) {
      return std::nullopt;  // told of where it is needed
    }
  }

  [[noreturn]] void fail_at(const Node& node, Frame* f, Below below) {
    if (const auto* box = dynamic_cast<const BoxNode*>(&node)) {
      if (below == Below::kNothing) {
        refuse(node, box->is_box ? "[A]_v is about a single step: say [][A]_v or <>[][A]_v"
                                 : "<<A>>_v is about a single step: say <><<A>>_v or []<><<A>>_v");
      }
      refuse(node, box->is_box ? "<>[A]_v is true wherever nothing happens once: say <>[][A]_v, "
                                 "or <><<A>>_v for a step of A"
                               : "[]<<A>>_v is true of no behaviour in which nothing happens once: "
                                 "say []<><<A>>_v, or [][A]_v for steps that are all of A");
    }
    if (level_of(node, f) == Level::kAction) {
      refuse(node,
             "what is said of a step must not be about steps that change nothing: say [][A]_v or "
             "<><<A>>_v, with the variables that it is about as v");
    }
    refuse(node,
           "formulas about behaviours can stand within /\\, \\/, ~, =>, <=>, \\A, \\E, IF, CASE, "
           "LET, [], <>, ~> and definitions, and nowhere else");
  }

  [[noreturn]] static void refuse(const Node& node, std::string why) {
    node.fail_here(std::move(why));
  }

  void assume(const Node& node, Frame* f) {
    m_.enter();
    if (const auto* list = dynamic_cast<const ListNode*>(&node); list != nullptr && list->is_and) {
      for (const NodeRef& item : list->items) assume(*item, f);
      return;
    }
    if (const auto* all = dynamic_cast<const QuantifierNode*>(&node);
        all != nullptr && all->which == Quantifier::kForAll &&
        level_of(*all->body, f) == Level::kTemporal) {
      return each(*all, f, [&](Frame* inner) { assume(*all->body, inner); });
    }
    if (const auto* let = dynamic_cast<const LetNode*>(&node)) {
      return within({Into::Kind::kLet, let, {}}, f,
                    [&](Frame* inner) { assume(*let->body, inner); });
    }
    if (const auto* call = dynamic_cast<const CallNode*>(&node);
        call != nullptr && call->op->body != nullptr && level_of(node, f) == Level::kTemporal) {
      return within_call(*call, f, [&](Frame* inner) { assume(*call->op->body, inner); });
    }
    const auto* const temporal = dynamic_cast<const TemporalNode*>(&node);
    if (temporal != nullptr && (temporal->what == "WF" || temporal->what == "SF")) {
      const Node& action = *temporal->items[0];
      FairAction fair;
      fair.name = text_of(node, action, f);
      const bool is_weak = temporal->what == "WF" || mutant(TlaMutant::kStrongIsWeak);
      fair.owed = is_weak ? Owed::kWeakly : Owed::kStrongly;
      fair.enabled = enabled(action, f);
      fair.taken = t_.atom(true, Atom::Is::kTrue, here(action, f));
      const bool known =
          std::any_of(t_.fair_.begin(), t_.fair_.end(), [&](const FairAction& other) {
            return other.owed == fair.owed && other.enabled == fair.enabled &&
                   other.taken == fair.taken;
          });
      if (known) return;
      t_.assumptions_.push_back(fair.name);
      t_.fair_.push_back(std::move(fair));
      return;
    }
    const Level level = level_of(node, f);
    if (level == Level::kState || level == Level::kAction) {
      refuse(node,
             "what a specification says of initial states stands beside its [][Next]_vars, "
             "not within \\A or LET, and no action stands there");
    }
    if (temporal != nullptr && temporal->what == "[]" &&
        level_of(*temporal->items[0], f) <= Level::kAction) {
      refuse(node,
             "in a specification, [] must be followed by [Next]_vars, once, or by what "
             "happens in the end");
    }
    Formula what = of(node, f, Below::kNothing);
    if (what.is == Is::kTrue || mutant(TlaMutant::kAssumedForgotten)) return;
    t_.assumptions_.push_back(text_of(node, node, f));
    t_.assumed_.push_back(std::move(what));
  }

  // As it is written, with the values of the names that are bound around it.
  std::string text_of(const Node& node, const Node& action, Frame* f) const {
    std::string out = written(t_.spec_.sources(), node.place);
    std::string names;
    if (const auto* box = dynamic_cast<const BoxNode*>(&action)) {
      const auto* const passed = dynamic_cast<const LocalNode*>(box->action.get());
      const Thunk* const thunk = passed == nullptr ? nullptr : thunk_of(passed->at(f));
      if (thunk != nullptr) {
        names = " for " + passed->name + " = " + written(t_.spec_.sources(), thunk->node->place);
      }
    }
    for (const Into& step : way_.way) {
      if (step.kind != Into::Kind::kBind) continue;
      size_t at = 0;
      for (const BoundSet& bound : static_cast<const QuantifierNode*>(step.node)->bounds) {
        for (const std::string& name : bound.names) {
          constexpr size_t kWidth = 40;
          names += (names.empty() ? " for " : ", ") + name + " = " +
                   cut_to(to_text(step.bound[at++].second), kWidth);
        }
      }
    }
    return out + names;
  }

  static constexpr uint32_t kDeepest = 1000;

  Temporal& t_;
  Machine& m_;
  Part way_;  // to where formulas are being taken apart; node: none
  uint32_t depth_ = 0;
  bool assuming_ = false;  // of the specification
};

Result<Formula> Temporal::formula(const Part& part) {
  try {
    return Translator(*this).formula(part);
  } catch (const EvalError& error) {
    return Error{spec_.describe(error)};
  }
}

Result<void> Temporal::assume(const Part& part) {
  try {
    Translator(*this).assume(part);
  } catch (const EvalError& error) {
    return Error{spec_.describe(error)};
  }
  return {};
}

}  // namespace ordeal::tla
