// A space whose states are numbers and that a table describes: what a subject may say that neither
// nodes nor raw models do. It cannot always say what comes next, tells some states apart by less
// than all that they are, judges steps and what lies outside of its constraint.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/detail/hash.h"

namespace ordeal::oracle {

struct Table {
  struct Edge {
    uint32_t to = 0;
    bool outside = false;
    bool bad = false;      // violates the property of steps
    bool trouble = false;  // whether it does cannot be said
  };
  enum class Unknown : uint8_t { kNothing, kWithin, kNext, kVerdict };  // of a state
  static constexpr uint32_t kStates = 1;                                // properties
  static constexpr uint32_t kSteps = 2;

  uint32_t roots = 1;
  std::function<uint32_t(uint32_t)> root = [](uint32_t i) { return i; };
  std::function<void(uint32_t, std::vector<Edge>&)> next;
  std::function<bool(uint32_t)> bad = [](uint32_t) { return false; };
  std::function<bool(uint32_t)> within = [](uint32_t) { return true; };
  std::function<Unknown(uint32_t)> unknown = [](uint32_t) { return Unknown::kNothing; };
  // States that look the same are one.
  std::function<uint32_t(uint32_t)> view = [](uint32_t state) { return state; };
  bool judges_steps = true;
  bool judges_outside = true;
  bool constrained = false;

  std::string trouble_of(uint32_t state) const {
    const char* what[] = {"", "whether it is within", "what comes next", "what is so"};
    return "table.txt:" + std::to_string(state % 7) + ": " +
           what[static_cast<size_t>(unknown(state))] + " of " + std::to_string(state);
  }
  static std::string trouble_of(uint32_t from, uint32_t to) {
    return "table.txt: the step from " + std::to_string(from) + " to " + std::to_string(to);
  }
};

class TableExplorer : public Explorer {
 public:
  explicit TableExplorer(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  void enumerate(StateRef state, std::vector<Choice>& out) override {
    answer(state[0], Table::Unknown::kNext);
    edges_.clear();
    table_->next(state[0], edges_);
    for (uint32_t i = 0; i < edges_.size(); ++i) {
      Choice choice;
      choice.outside = edges_[i].outside;
      choice.a = i;
      out.push_back(choice);
      // What is appended before it turns out is not to be taken.
      if (trouble_ && i >= 1) return;
    }
  }
  uint64_t apply(StateRef, uint64_t, const Choice& choice, std::vector<uint32_t>& out) override {
    out.push_back(edges_[choice.a].to);
    return of(edges_[choice.a].to);
  }
  bool within(StateRef state) override {
    answer(state[0], Table::Unknown::kWithin);
    return table_->within(state[0]);
  }
  void judge(StateRef state, bool, Judgement& out) override {
    answer(state[0], Table::Unknown::kVerdict);
    if (trouble_ || table_->bad(state[0])) out.violated.push_back(Table::kStates);
  }
  void judge_step(StateRef before, const Choice& choice, StateRef after, Judgement& out) override {
    const Table::Edge& edge = edges_[choice.a];
    trouble_.reset();
    if (edge.trouble) trouble_ = Table::trouble_of(before[0], after[0]);
    if (edge.bad || edge.trouble) out.violated.push_back(Table::kSteps);
  }
  const std::string* trouble() override { return trouble_ ? &*trouble_ : nullptr; }
  Outcome explain(StateRef state, bool, uint32_t) override {
    return table_->bad(state[0]) ? violated("bad") : Outcome(true);
  }
  Outcome explain_step(StateRef, const Choice& choice, StateRef, uint32_t) override {
    return edges_[choice.a].bad ? violated("a bad step") : Outcome(true);
  }
  Action action(StateRef, const Choice& choice) override {
    Action out;
    out.type = "go";
    out.payload = value::Tree::number(choice.a);
    out.payload_digest = choice.a;
    return out;
  }
  StepDetail detail(StateRef state, const Choice& choice) override {
    StepDetail out;
    out.action = action(state, choice);
    return out;
  }
  Snapshot observe(StateRef state) override {
    Snapshot out;
    out.digest = state[0];
    out.parts.push_back({.name = "state", .type = "", .digest = state[0], .tree = {}});
    out.parts[0].tree = value::Tree::number(state[0]);
    return out;
  }
  uint64_t fingerprint(StateRef state) override { return of(state[0]); }
  uint64_t second_fingerprint(StateRef state) override { return mix64(of(state[0])); }
  uint64_t key(StateRef, const Choice& choice) override { return choice.a; }

  uint64_t of(uint32_t state) const { return mix64(table_->view(state) + uint64_t{1}); }

 private:
  void answer(uint32_t state, Table::Unknown what) {
    trouble_.reset();
    if (table_->unknown(state) == what) trouble_ = table_->trouble_of(state);
  }

  std::shared_ptr<const Table> table_;
  std::vector<Table::Edge> edges_;
  std::optional<std::string> trouble_;
};

class TableSpace : public StateSpace {
 public:
  explicit TableSpace(std::shared_ptr<const Table> table) : table_(std::move(table)) {
    properties_ = {{"no handler fails"}, {"no bad state"}};
    if (table_->judges_steps) {
      properties_.push_back({"no bad step"});
      properties_.back().on_steps = true;
    }
  }
  const std::vector<Property>& properties() const override { return properties_; }
  bool judges_outside() const override { return table_->judges_outside; }
  Result<std::vector<Initial>> initial() override {
    const TableExplorer explorer(table_);
    std::vector<Initial> out(table_->roots);
    for (uint32_t i = 0; i < table_->roots; ++i) {
      out[i].state = {table_->root(i)};
      out[i].fingerprint = explorer.of(table_->root(i));
    }
    return out;
  }
  std::unique_ptr<Explorer> explorer() override { return std::make_unique<TableExplorer>(table_); }
  SpaceStatistics statistics() const override { return {}; }
  void forget() override {}

 private:
  std::shared_ptr<const Table> table_;
  std::vector<Property> properties_;
};

class TableSubject : public Checkable {
 public:
  explicit TableSubject(Table table)
      : table_(std::make_shared<const Table>(std::move(table))), space_(table_) {}

  const Table& table() const { return *table_; }
  const std::vector<Property>& properties() const override { return space_.properties(); }
  std::shared_ptr<StateSpace> space() const override {
    return std::make_shared<TableSpace>(table_);
  }
  std::unique_ptr<World> world() const override { return run_world(space()); }
  bool constrained() const override { return table_->constrained; }
  Result<void> validate() const override { return {}; }
  Result<std::shared_ptr<Symmetry>> symmetry() const override {
    return Error{"numbers are not alike"};
  }

 private:
  std::shared_ptr<const Table> table_;
  TableSpace space_;
};

}  // namespace ordeal::oracle
