#include "language/tla/model/space.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "language/tla/model/explorer.h"
#include "language/tla/model/temporal_parts.h"

namespace ordeal::tla {

namespace {

// The actions by whose names steps are called, in the order of the text: the last definition on the
// way from Next to what is done, as labels have it (CallNode::act).
class Actions {
 public:
  explicit Actions(const Operator* whole) : whole_(whole) {}
  const std::vector<const Operator*>& all() const { return out_; }
  // Whether some step is made by no definition but Next.
  bool has_unnamed() const { return has_unnamed_; }

  // `owner`: the definition that is entered last; null: none but Next itself.
  void collect(const Node& node, const Operator* owner) {
    if (const auto* call = dynamic_cast<const CallNode*>(&node)) {
      if (call->level != Level::kAction || call->op->body == nullptr) return add(owner);
      if (seen_.insert(call->op).second) collect(*call->op->body, call->op);
      return;
    }
    if (const auto* list = dynamic_cast<const ListNode*>(&node)) {
      if (!list->is_and) {
        for (const NodeRef& item : list->items) collect(*item, owner);
        return;
      }
      // What a named action calls to help it has no say (ListNode::act_from).
      const Node* const spine =
          list->spine < 0 ? nullptr : list->items[static_cast<size_t>(list->spine)].get();
      if (spine == nullptr || (owner != nullptr && owner != whole_ && list->spine_is_call))
        return add(owner);
      return collect(*spine, owner);
    }
    if (const auto* quantifier = dynamic_cast<const QuantifierNode*>(&node);
        quantifier != nullptr && quantifier->which == Quantifier::kExists) {
      return collect(*quantifier->body, owner);
    }
    if (const auto* test = dynamic_cast<const IfNode*>(&node)) {
      collect(*test->then, owner);
      return collect(*test->otherwise, owner);
    }
    if (const auto* cases = dynamic_cast<const CaseNode*>(&node)) {
      for (const auto& [condition, value] : cases->arms) collect(*value, owner);
      if (cases->other) collect(*cases->other, owner);
      return;
    }
    if (const auto* composed = dynamic_cast<const ComposedNode*>(&node)) {
      return collect(*composed->first, owner);
    }
    if (const auto* let = dynamic_cast<const LetNode*>(&node)) return collect(*let->body, owner);
    add(owner);
  }

 private:
  void add(const Operator* owner) {
    has_unnamed_ = has_unnamed_ || owner == nullptr;
    if (owner != nullptr && std::find(out_.begin(), out_.end(), owner) == out_.end()) {
      out_.push_back(owner);
    }
  }

  const Operator* whole_;  // Next
  std::set<const Operator*> seen_;
  std::vector<const Operator*> out_;
  bool has_unnamed_ = false;
};

}  // namespace

TlaSpace::TlaSpace(std::shared_ptr<Specification> specification)
    : specification_(std::move(specification)), temporal_(*specification_) {
  Specification& spec = *specification_;
  properties_.push_back({"every expression has a value", PropertyKind::kAlways});
  std::set<std::string> names{properties_[0].name};
  const auto add = [&](const std::string& name, const char* word, bool on_steps) {
    Property property;
    property.name = name;
    for (int i = 2; !names.insert(property.name).second; ++i) {
      property.name = name + " (" + std::to_string(i) + ")";
    }
    property.word = word;
    property.on_steps = on_steps;
    properties_.push_back(std::move(property));
  };
  for (const Invariant& invariant : spec.invariants) add(invariant.name, "invariant", false);
  for (const Invariant& invariant : spec.initially) add(invariant.name, "initially", false);
  for (const ActionProperty& property : spec.action_properties) {
    add(property.name, "of-steps", true);
  }
  if (spec.check_deadlock) {
    deadlock_ = properties_.size();
    add("no deadlock", "", false);
  }
  first_assumption_ = properties_.size();
  for (const Assumption& assumption : spec.assumptions) add(assumption.name, "assumption", false);
  for (const Invariant& property : spec.temporal) {
    add(property.name, "temporal", false);
    properties_.back().on_runs = true;
  }
  if (spec.postcondition.node != nullptr) add(spec.postcondition.name, "postcondition", false);
  actions_.push_back("");
  if (spec.next.node != nullptr) {
    Actions actions(spec.whole_next());
    actions.collect(*spec.next.node, nullptr);
    if (actions.has_unnamed()) actions_[0] = spec.next.name;
    for (const Operator* op : actions.all()) {
      constexpr size_t kMost = 60000;
      if (actions_.size() < kMost) {
        numbers_.emplace_back(op, static_cast<uint16_t>(actions_.size()));
        actions_.push_back(op->name);
      }
    }
    std::sort(numbers_.begin(), numbers_.end());
  }
  read_temporal();
}

namespace {

// A note has no room for the text that an error points into.
std::string first_line(const std::string& message) { return message.substr(0, message.find('\n')); }

}  // namespace

void TlaSpace::read_temporal() {
  Specification& spec = *specification_;
  if (spec.temporal.empty()) return;
  std::string why;
  if (!spec.permutations.empty()) {
    why = "under SYMMETRY states are one that a behaviour tells apart: check it without SYMMETRY";
  }
  for (const Part& part : spec.assumed) {
    if (!why.empty()) break;
    if (const Result<void> read = temporal_.assume(part); !read) {
      why = "what the specification assumes cannot be checked: " + first_line(read.error().message);
    }
  }
  auto number = static_cast<uint32_t>(first_temporal());
  for (const Invariant& property : spec.temporal) {
    Result<Formula> formula =
        why.empty() ? temporal_.formula(property.part) : Result<Formula>(Error{why});
    for (const Part& other : property.others) {
      if (!formula) break;
      Result<Formula> more = temporal_.formula(other);
      formula = more ? Result<Formula>(both({*std::move(formula), *std::move(more)}, true)) : more;
    }
    if (formula) {
      on_runs_.claims.push_back({number, *std::move(formula)});
    } else {
      on_runs_.refused[number] = first_line(formula.error().message);
    }
    ++number;
  }
}

// Under a VIEW it depends on the states: they are looked at when somebody asks.
const TlaSpace::OnRuns& TlaSpace::on_runs() const {
  if (specification_->view.node == nullptr) return on_runs_;
  std::call_once(view_looked_at_, [&] {
    if (on_runs_.claims.empty()) return;
    const Result<bool> all = TlaSpace(specification_).view_is_faithful();
    if (all) {
      on_runs_.trusts_view = !*all;
      return;
    }
    for (const Liveness::Claim& claim : on_runs_.claims) {
      on_runs_.refused[claim.property] = all.error().message;
    }
    on_runs_.claims.clear();
  });
  return on_runs_;
}

std::string TlaSpace::assumption() const {
  const Specification& spec = *specification_;
  constexpr size_t kShown = 6;
  const std::vector<std::string>& all = temporal_.assumptions();
  std::string out;
  if (!all.empty()) {
    const size_t shown = all.size() > kShown + 1 ? kShown : all.size();
    const std::vector<std::string> first(all.begin(), all.begin() + static_cast<ptrdiff_t>(shown));
    out = join(first, "; ");
    if (shown < all.size()) out += "; and " + grouped(all.size() - shown) + " more";
  } else {
    out = spec.assumed.empty() && !spec.from_formula
              ? "no fairness, of which INIT and NEXT say nothing: a behaviour may stop anywhere"
              : "no fairness: a behaviour may stop anywhere";
  }
  if (!spec.constraints.empty() || !spec.action_constraints.empty()) {
    out += "; of behaviours that stay within the constraint";
  }
  if (trusts_view()) {
    out += "; and that states with one VIEW behave alike, as those that were looked at do";
  }
  return out;
}

Result<Liveness> TlaSpace::liveness() const {
  Liveness out;
  if (claims().empty()) return out;
  out.claims = claims();
  out.state_atoms = static_cast<uint32_t>(temporal_.of_states().size());
  out.step_atoms = static_cast<uint32_t>(temporal_.of_steps().size());
  out.fair = temporal_.fair();
  out.assumed = temporal_.assumed();
  out.stutters = true;
  out.assumption = assumption();
  return out;
}

uint16_t TlaSpace::action_of(const Operator* op) const {
  const auto at =
      std::lower_bound(numbers_.begin(), numbers_.end(), std::make_pair(op, uint16_t{0}));
  return at != numbers_.end() && at->first == op ? at->second : uint16_t{0};
}

Result<std::string> TlaSpace::interprets() const {
  const Sources& sources = specification_->sources();
  std::string out;
  for (uint32_t file = 0; file < sources.size(); ++file) out += sources.text(file) + '\n';
  return out;
}

Result<std::vector<StateSpace::Initial>> TlaSpace::initial() {
  Specification& spec = *specification_;
  TlaExplorer explorer(*this);
  std::vector<Initial> out;
  try {
    explorer.start([&](StateRef state, uint64_t fingerprint) {
      Initial& initial = out.emplace_back();
      initial.fingerprint = fingerprint;
      initial.state.assign(state.begin(), state.end());
    });
  } catch (const EvalError& error) {
    return Error{spec.describe(error)};
  }
  if (out.empty())
    return Error{"there is no initial state: " + spec.init[0].name + " is never true"};
  initial_.clear();
  if (!spec.initially.empty()) {
    for (const Initial& initial : out) initial_.insert(initial.fingerprint);
  }
  return out;
}

std::unique_ptr<Explorer> TlaSpace::explorer() { return std::make_unique<TlaExplorer>(*this); }

SpaceStatistics TlaSpace::statistics() const {
  SpaceStatistics out;
  out.bytes = specification_->pool().bytes();
  return out;
}

std::vector<StepSort> TlaSpace::sorts() const {
  std::vector<StepSort> out;
  for (const std::string& name : actions_) out.push_back({name});
  return out;
}

void TlaSpace::forget() { specification_->pool().clear(); }

TlaSystem::TlaSystem(std::shared_ptr<Specification> specification)
    : space_(std::make_shared<TlaSpace>(std::move(specification))) {}

Result<void> TlaSystem::validate() const {
  const Specification& spec = space_->specification();
  if (spec.has_behaviour || !spec.assumptions.empty()) return {};
  return Error{spec.name() +
               ": there is nothing to check: no behaviours (SPECIFICATION, or INIT and "
               "NEXT, in the configuration) and no ASSUME"};
}

std::vector<Foregone> TlaSystem::foregone() const {
  Specification& spec = space_->specification();
  std::vector<Foregone> out;
  auto number = static_cast<uint32_t>(space_->first_assumption());
  for (const Assumption& assumption : spec.assumptions) {
    out.push_back({number++, assumption.holds ? Foregone::Is::kTrue : Foregone::Is::kFalse,
                   assumption.holds ? "" : "this assumption is false: " + assumption.why});
  }
  for (const auto& [property, why] : space_->refused()) {
    out.push_back({property, Foregone::Is::kUnknown, why});
  }
  return out;
}

Result<std::vector<Foregone>> TlaSystem::afterwards(const Totals& totals) const {
  Specification& spec = space_->specification();
  std::vector<Foregone> out;
  if (space_->trusts_view()) {
    for (const Liveness::Claim& claim : space_->claims()) {
      out.push_back({claim.property, Foregone::Is::kUnknown,
                     "no behaviour through views violates it; whether states with one VIEW behave "
                     "alike is not known of all: check it without the VIEW"});
    }
  }
  if (spec.postcondition.node == nullptr) return out;
  const auto number = static_cast<uint32_t>(space_->first_assumption() + spec.assumptions.size() +
                                            spec.temporal.size());
  if (!totals.complete) {
    out.push_back(
        {number, Foregone::Is::kUnknown, "it is asked when everything has been explored"});
    return out;
  }
  const Result<bool> holds = spec.postcondition_holds(totals);
  if (!holds) return holds.error();
  out.push_back({number, *holds ? Foregone::Is::kTrue : Foregone::Is::kFalse,
                 *holds ? "" : "the postcondition is false"});
  return out;
}

Result<std::shared_ptr<Symmetry>> TlaSystem::symmetry() const {
  return Error{"a specification says which model values are alike in its configuration: SYMMETRY"};
}

}  // namespace ordeal::tla
