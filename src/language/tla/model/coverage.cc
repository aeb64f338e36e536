#include "language/tla/model/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_set>

#include "base/text.h"
#include "language/tla/model/explorer.h"

namespace ordeal::tla {
namespace {

// Stands around an expression and counts.
struct CountNode final : Node {
  CountNode(NodeRef owned, uint32_t at) : CountNode(*owned, at) { held = std::move(owned); }
  CountNode(const Node& child, uint32_t at) : child(child) {
    place = child.place;
    level = child.level;
    free = child.free;
    outer = child.outer;
    pure = child.pure;
    settled = child.settled;
    branches = child.branches;
    number = at;
  }
  void count(Machine& m) const {
    if (m.counts != nullptr) ++(*m.counts)[number];
  }
  Value eval(Machine& m, Frame* f) const override {
    count(m);
    return child.eval(m, f);
  }
  bool truth(Machine& m, Frame* f) const override {
    count(m);
    return child.truth(m, f);
  }
  bool act(Machine& m, Frame* f, const Continuation& k) const override {
    count(m);
    return child.act(m, f, k);
  }
  bool has_member(Machine& m, Frame* f, Value element) const override {
    count(m);
    return child.has_member(m, f, element);
  }
  int variable(Machine& m, Frame* f) const override { return child.variable(m, f); }
  int primed_variable(Machine& m, Frame* f) const override { return child.primed_variable(m, f); }
  bool act_unchanged(Machine& m, Frame* f, const Continuation& k) const override {
    count(m);
    return child.act_unchanged(m, f, k);
  }
  void children(std::vector<const Node*>& out) const override { out.push_back(&child); }

  const Node& child;
  NodeRef held;
};

// Puts counters where formulas branch and where definitions are entered.
class Counters {
 public:
  explicit Counters(Specification& spec) : spec_(spec) {
    const auto part = [&](const Part& one) {
      if (one.node != nullptr) visit(*one.node, -1);
    };
    for (const Part& one : spec.init) part(one);
    part(spec.next);
    for (const Invariant& one : spec.invariants) part(one.part);
    for (const Invariant& one : spec.initially) part(one.part);
    for (const ActionProperty& one : spec.action_properties) part(one.part);
    for (const Part& one : spec.constraints) part(one);
    for (const Part& one : spec.action_constraints) part(one);
  }

  size_t size() const { return places_.size(); }

  std::vector<ExpressionCoverage> tell(const std::vector<uint64_t>& counts) const {
    std::vector<ExpressionCoverage> out;
    for (size_t i = 0; i < places_.size(); ++i) {
      ExpressionCoverage& one = out.emplace_back();
      one.place = places_[i];
      one.where = spec_.sources().at(one.place);
      while (!one.where.empty() && (one.where.back() == ' ' || one.where.back() == ':')) {
        one.where.pop_back();
      }
      one.text = text_of(one.place);
      one.count = counts[i];
      for (int up = around_[i]; up >= 0; up = around_[static_cast<size_t>(up)]) {
        if (counts[static_cast<size_t>(up)] == 0) one.within_unvisited = true;
      }
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
      return std::tie(a.place.file, a.place.line, a.place.column) <
             std::tie(b.place.file, b.place.line, b.place.column);
    });
    return out;
  }

 private:
  std::string text_of(const Place& place) const {
    const std::string_view line = spec_.sources().line(place.file, place.line);
    const size_t begin = std::min<size_t>(place.column - 1, line.size());
    const bool ends_here = place.end_line == place.line;
    const size_t end = ends_here ? std::min<size_t>(place.end_column, line.size()) : line.size();
    std::string out(line.substr(begin, end - std::min(begin, end)));
    return ends_here ? out : out + " …";
  }

  uint32_t number_for(const Place& place, int around) {
    places_.push_back(place);
    around_.push_back(around);
    return static_cast<uint32_t>(places_.size() - 1);
  }

  void wrap(NodeRef& slot, int around) {
    if (slot == nullptr) return;
    if (slot->place.line == 0 || dynamic_cast<const LiteralNode*>(slot.get()) != nullptr) {
      return visit(*slot, around);
    }
    const uint32_t number = number_for(slot->place, around);
    visit(*slot, static_cast<int>(number));
    slot = std::make_unique<CountNode>(std::move(slot), number);
  }

  void enter(const Operator& op, int around) {
    if (op.body == nullptr || !seen_.insert(&op).second) return;
    // Of modules that are known by themselves nobody asks.
    const bool is_of_library = !spec_.sources().path(op.body->place.file).ends_with(".tla");
    if (is_of_library || op.body->place.line == 0) return visit(*op.body, around);
    const uint32_t number = number_for(op.body->place, -1);
    const Node& body = *op.body;
    counters_.push_back(std::make_unique<CountNode>(body, number));
    const_cast<Operator&>(op).body = counters_.back().get();
    visit(body, static_cast<int>(number));
  }

  void visit(const Node& constant, int around) {
    Node& node = const_cast<Node&>(constant);
    if (auto* list = dynamic_cast<ListNode*>(&node)) {
      for (NodeRef& item : list->items) wrap(item, around);
      return;
    }
    if (auto* test = dynamic_cast<IfNode*>(&node)) {
      for (NodeRef* child : {&test->test, &test->then, &test->otherwise}) wrap(*child, around);
      return;
    }
    if (auto* implies = dynamic_cast<ImpliesNode*>(&node)) {
      wrap(implies->left, around);
      return wrap(implies->right, around);
    }
    if (auto* equal = dynamic_cast<EqualNode*>(&node)) {
      visit(*equal->left, around);
      return wrap(equal->right, around);
    }
    if (auto* quantifier = dynamic_cast<QuantifierNode*>(&node)) {
      for (BoundSet& bound : quantifier->bounds) visit(*bound.set, around);
      return wrap(quantifier->body, around);
    }
    if (auto* let = dynamic_cast<LetNode*>(&node)) {
      for (LetNode::Definition& definition : let->definitions) wrap(definition.node, around);
      return wrap(let->body, around);
    }
    if (auto* cases = dynamic_cast<CaseNode*>(&node)) {
      for (auto& [condition, value] : cases->arms) {
        wrap(condition, around);
        wrap(value, around);
      }
      return wrap(cases->other, around);
    }
    if (auto* filter = dynamic_cast<FilterNode*>(&node)) {
      visit(*filter->bound.set, around);
      return wrap(filter->body, around);
    }
    if (auto* map = dynamic_cast<MapNode*>(&node)) {
      for (BoundSet& bound : map->bounds) visit(*bound.set, around);
      return wrap(map->body, around);
    }
    if (const auto* call = dynamic_cast<const CallNode*>(&node)) enter(*call->op, around);
    std::vector<const Node*> children;
    node.children(children);
    for (const Node* child : children) {
      if (child != nullptr) visit(*child, around);
    }
  }

  Specification& spec_;
  std::set<const Operator*> seen_;
  std::vector<Place> places_;
  std::vector<int> around_;  // the counter around each
  std::vector<std::unique_ptr<CountNode>> counters_;
};

}  // namespace

Result<Coverage> measure_coverage(std::shared_ptr<Specification> specification,
                                  const CoverageBounds& bounds) {
  Coverage out;
  Specification& spec = *specification;
  if (!spec.has_behaviour) return Error{"there are no behaviours whose coverage could be told"};
  // What actions there are is found out before anything stands around them.
  TlaSpace space(specification);
  TlaExplorer explorer(space);
  Counters counters(spec);
  std::vector<uint64_t> counts(counters.size());
  explorer.count_in(&counts);

  for (const std::string& name : space.actions()) out.actions.push_back({name, {}, 0, 0});
  for (const auto& [op, number] : space.numbered_actions()) out.actions[number].place = op->place;
  std::unordered_set<uint64_t> seen;
  std::deque<std::vector<uint32_t>> waiting;
  Result<void> trouble;
  const auto look = [&](const std::vector<uint32_t>& state) {
    Judgement judgement;
    explorer.judge(state, false, judgement);
    if (explorer.trouble() != nullptr) trouble = Error{*explorer.trouble()};
  };
  try {
    explorer.start([&](StateRef state, uint64_t fingerprint) {
      if (seen.insert(fingerprint).second) waiting.emplace_back(state.begin(), state.end());
    });
  } catch (const EvalError& error) {
    return Error{spec.describe(error)};
  }
  for (const std::vector<uint32_t>& state : waiting) look(state);
  const auto is_over = [&] {
    return seen.size() >= bounds.max_states || (bounds.stop != nullptr && *bounds.stop);
  };
  std::vector<Choice> choices;
  std::vector<std::vector<uint32_t>> found;
  for (; !waiting.empty() && !is_over(); waiting.pop_front()) {
    const std::vector<uint32_t>& state = waiting.front();
    ++out.states;
    if (!explorer.within(state)) continue;
    choices.clear();
    found.clear();
    explorer.enumerate(state, choices);
    if (explorer.trouble() != nullptr) break;  // the check has told it
    for (const Choice& choice : choices) {
      std::vector<uint32_t> next;
      const uint64_t fingerprint = explorer.apply(state, 0, choice, next);
      ActionCoverage& action = out.actions[choice.sort];
      ++action.taken;
      if (choice.outside || !seen.insert(fingerprint).second) continue;
      ++action.distinct;
      found.push_back(std::move(next));
    }
    for (std::vector<uint32_t>& next : found) {
      if (!spec.action_properties.empty()) {
        Judgement judgement;
        explorer.judge_step(state, {}, next, judgement);
      }
      look(next);
      waiting.push_back(std::move(next));
    }
  }
  std::erase_if(out.actions, [](const ActionCoverage& action) { return action.name.empty(); });
  out.expressions = counters.tell(counts);
  return out;
}

std::string coverage_text(const Coverage& coverage) {
  std::string out;
  size_t width = 6;
  for (const ActionCoverage& one : coverage.actions) width = std::max(width, columns_of(one.name));
  out +=
      fmt::format("  coverage    {:<{}}  {:>12}  {:>12}\n", "action", width, "taken", "new states");
  for (const ActionCoverage& one : coverage.actions) {
    out += fmt::format("              {}{}  {:>12}  {:>12}{}\n", one.name,
                       std::string(width - columns_of(one.name), ' '), grouped(one.taken),
                       grouped(one.distinct), one.taken == 0 ? "  never taken" : "");
  }
  size_t unvisited = 0;
  for (const ExpressionCoverage& one : coverage.expressions) unvisited += one.count == 0 ? 1 : 0;
  if (unvisited == 0) {
    return out + fmt::format("              each of {} was evaluated\n",
                             counted(coverage.expressions.size(), "expression"));
  }
  out += fmt::format("              {} of {} never evaluated:\n", grouped(unvisited),
                     counted(coverage.expressions.size(), "expression"));
  for (const ExpressionCoverage& one : coverage.expressions) {
    if (one.count > 0 || one.within_unvisited) continue;
    out += fmt::format("                {}  {}\n", one_line(one.where),
                       cut_to(one_line(one.text), 70));
  }
  return out;
}

std::string coverage_json(const Coverage& coverage, const std::string& margin) {
  using Json = nlohmann::ordered_json;
  Json json = {
      {"states", coverage.states}, {"actions", Json::array()}, {"expressions", Json::array()}};
  const auto position = [](const Place& place) {
    return Json{{"line", place.line},
                {"column", place.column},
                {"end_line", place.end_line},
                {"end_column", place.end_column}};
  };
  for (const ActionCoverage& one : coverage.actions) {
    Json action = {{"name", one.name}, {"taken", one.taken}, {"distinct_states", one.distinct}};
    if (one.place.line > 0) action["place"] = position(one.place);
    json["actions"].push_back(std::move(action));
  }
  for (const ExpressionCoverage& one : coverage.expressions) {
    json["expressions"].push_back({{"where", one.where},
                                   {"place", position(one.place)},
                                   {"text", one.text},
                                   {"count", one.count}});
  }
  std::string out;
  const std::string text = json.dump(2, ' ', true, Json::error_handler_t::replace);
  for (const char c : text) {
    out += c;
    if (c == '\n') out += margin;
  }
  return out;
}

}  // namespace ordeal::tla
