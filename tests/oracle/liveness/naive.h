// Whether a run of a maze counts and violates its claim, by definition and by brute force. A node
// is a step of the maze with a guess of which temporal parts of the formula are true when it is
// taken; two nodes follow each other where the guesses fit. There is such a run if, of the nodes
// that can be reached, some reach each other, and among those is one for everything that must come
// again and again. Of what is owed strongly each combination is tried: it is possible never more,
// or it comes again and again.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "tests/oracle/liveness/mazes.h"

namespace ordeal::oracle::liveness {

class NaiveRuns {
 public:
  explicit NaiveRuns(const Maze& maze) : maze_(maze) { list_steps(); }

  // A run that counts, and of which the formula is true.
  bool any(const Formula& wanted) {
    const Formula formula = formula::all({maze_.assumed, wanted});
    temporal_.clear();
    find_temporal(formula);
    nodes_.clear();
    for (const Step& step : steps_) {
      for (uint32_t guess = 0; guess < uint32_t{1} << temporal_.size(); ++guess) {
        nodes_.push_back({step, guess});
      }
    }
    const size_t size = nodes_.size();
    next_.assign(size, std::vector<bool>(size));
    for (size_t i = 0; i < size; ++i) {
      for (size_t j = 0; j < size; ++j) next_[i][j] = may_follow(nodes_[i], nodes_[j]);
    }
    std::vector<bool> reached(size);
    std::vector<size_t> waiting;
    for (size_t i = 0; i < size; ++i) {
      const bool begins =
          std::count(maze_.begins.begin(), maze_.begins.end(), nodes_[i].step.from) > 0 &&
          maze_.inside[nodes_[i].step.from] && value(formula, nodes_[i]);
      if (!begins) continue;
      reached[i] = true;
      waiting.push_back(i);
    }
    while (!waiting.empty()) {
      const size_t i = waiting.back();
      waiting.pop_back();
      for (size_t j = 0; j < size; ++j) {
        if (!next_[i][j] || reached[j]) continue;
        reached[j] = true;
        waiting.push_back(j);
      }
    }
    const std::vector<Condition> conditions = all_conditions();
    std::vector<size_t> strong;
    for (size_t i = 0; i < conditions.size(); ++i) {
      if (conditions[i].strong) strong.push_back(i);
    }
    for (uint32_t never = 0; never < uint32_t{1} << strong.size(); ++never) {
      std::vector<std::vector<bool>> must;  // what must come again and again, by node
      std::vector<bool> allowed = reached;
      for (size_t i = 0; i < conditions.size(); ++i) {
        const Condition& condition = conditions[i];
        const auto at = std::find(strong.begin(), strong.end(), i);
        const bool is_never = at != strong.end() && (never >> (at - strong.begin()) & 1) != 0;
        std::vector<bool> row(size);
        for (size_t n = 0; n < size; ++n) {
          const bool possible = condition.possible(nodes_[n]);
          const bool comes = condition.comes(nodes_[n]);
          if (is_never) {
            allowed[n] = allowed[n] && !possible;
          } else {
            row[n] = condition.strong ? comes : comes || !possible;
          }
        }
        if (!is_never) must.push_back(std::move(row));
      }
      if (any_round(allowed, must)) return true;
    }
    return false;
  }

  // Whether a cycle of steps, gone round for ever, counts as far as fairness says.
  bool is_fair(const std::vector<uint32_t>& rooms, const std::vector<int>& passages) {
    std::vector<Node> cycle;
    for (size_t i = 0; i < rooms.size(); ++i) {
      const int passage = passages[i];
      cycle.push_back(
          {{rooms[i], passage < 0 ? rooms[i] : maze_.passages[passage].to, passage}, 0});
    }
    temporal_.clear();
    for (const Condition& condition : all_conditions()) {
      const bool comes = std::any_of(cycle.begin(), cycle.end(), condition.comes);
      const bool some = std::any_of(cycle.begin(), cycle.end(), condition.possible);
      const bool all = std::all_of(cycle.begin(), cycle.end(), condition.possible);
      if (!comes && (condition.strong ? some : all)) return false;
    }
    return true;
  }

 private:
  struct Step {
    uint32_t from = 0;
    uint32_t to = 0;
    int passage = -1;  // -1: it stays
  };
  struct Node {
    Step step;
    uint32_t guess = 0;
  };
  struct Condition {
    bool strong = false;
    std::function<bool(const Node&)> possible;
    std::function<bool(const Node&)> comes;
  };

  bool is_end(uint32_t room) const {
    return std::none_of(maze_.passages.begin(), maze_.passages.end(),
                        [&](const Passage& one) { return one.from == room && !one.fault; });
  }

  void list_steps() {
    for (size_t i = 0; i < maze_.passages.size(); ++i) {
      const Passage& one = maze_.passages[i];
      if (!maze_.inside[one.from] || !maze_.inside[one.to]) continue;
      steps_.push_back({one.from, one.to, static_cast<int>(i)});
    }
    for (uint32_t room = 0; room < maze_.rooms; ++room) {
      if (maze_.inside[room] && (maze_.stutters || is_end(room))) {
        steps_.push_back({room, room, -1});
      }
    }
  }

  void find_temporal(const Formula& formula) {
    for (const Formula& part : formula.parts) find_temporal(part);
    const bool is = formula.is == Formula::Is::kAlways || formula.is == Formula::Is::kEventually;
    if (is && std::find(temporal_.begin(), temporal_.end(), formula) == temporal_.end()) {
      temporal_.push_back(formula);
    }
  }
  bool guessed(const Formula& formula, const Node& node) const {
    const auto at = std::find(temporal_.begin(), temporal_.end(), formula);
    return (node.guess >> (at - temporal_.begin()) & 1) != 0;
  }
  bool value(const Formula& formula, const Node& node) const {
    switch (formula.is) {
      case Formula::Is::kTrue:
        return true;
      case Formula::Is::kFalse:
        return false;
      case Formula::Is::kState:
        return maze_.in_room[formula.atom][node.step.from];
      case Formula::Is::kStep:
        return node.step.passage >= 0 && maze_.in_step[formula.atom][node.step.passage];
      case Formula::Is::kNot:
        return !value(formula.parts[0], node);
      case Formula::Is::kAnd:
        return std::all_of(formula.parts.begin(), formula.parts.end(),
                           [&](const Formula& part) { return value(part, node); });
      case Formula::Is::kOr:
        return std::any_of(formula.parts.begin(), formula.parts.end(),
                           [&](const Formula& part) { return value(part, node); });
      case Formula::Is::kAlways:
      case Formula::Is::kEventually:
        return guessed(formula, node);
    }
    return false;
  }
  bool may_follow(const Node& node, const Node& next) const {
    if (node.step.to != next.step.from) return false;
    // A run that ends has ended.
    if (!maze_.stutters && node.step.passage < 0 && next.step.passage >= 0) return false;
    return std::all_of(temporal_.begin(), temporal_.end(), [&](const Formula& formula) {
      const bool now = value(formula.parts[0], node);
      const bool later = guessed(formula, next);
      return guessed(formula, node) ==
             (formula.is == Formula::Is::kAlways ? now && later : now || later);
    });
  }

  std::vector<Condition> all_conditions() const {
    std::vector<Condition> out;
    // Each guess comes true: an `eventually` in the end, what is not always so is not so once.
    for (const Formula& formula : temporal_) {
      const bool is_always = formula.is == Formula::Is::kAlways;
      out.push_back({false, [](const Node&) { return true; },
                     [this, formula, is_always](const Node& node) {
                       return guessed(formula, node) == is_always ||
                              value(formula.parts[0], node) != is_always;
                     }});
    }
    if (!maze_.stutters) {
      out.push_back({false, [this](const Node& node) { return !is_end(node.step.from); },
                     [this](const Node& node) {
                       return node.step.passage >= 0 && !maze_.passages[node.step.passage].fault;
                     }});
    }
    const auto owe = [&](uint32_t colour, Owed owed) {
      out.push_back({owed == Owed::kStrongly,
                     [this, colour](const Node& node) {
                       return std::any_of(
                           maze_.passages.begin(), maze_.passages.end(), [&](const Passage& one) {
                             return one.from == node.step.from && one.colour == colour;
                           });
                     },
                     [this, colour](const Node& node) {
                       return node.step.passage >= 0 &&
                              maze_.passages[node.step.passage].colour == colour;
                     }});
    };
    for (const ColourFairness& fair : maze_.together) owe(fair.colour, fair.owed);
    for (uint32_t colour = 0; colour < 3; ++colour) {
      if (maze_.each != Owed::kNothing) owe(colour, maze_.each);
    }
    return out;
  }

  // Whether some of the nodes reach each other that have one of each row.
  bool any_round(const std::vector<bool>& allowed, const std::vector<std::vector<bool>>& must) {
    const size_t size = nodes_.size();
    std::vector<std::vector<bool>> reach(size, std::vector<bool>(size));
    for (size_t i = 0; i < size; ++i) {
      if (!allowed[i]) continue;
      std::vector<size_t> waiting = {i};
      while (!waiting.empty()) {
        const size_t at = waiting.back();
        waiting.pop_back();
        for (size_t j = 0; j < size; ++j) {
          if (!allowed[j] || !next_[at][j] || reach[i][j]) continue;
          reach[i][j] = true;
          waiting.push_back(j);
        }
      }
    }
    for (size_t i = 0; i < size; ++i) {
      if (!allowed[i] || !reach[i][i]) continue;
      const bool all = std::all_of(must.begin(), must.end(), [&](const std::vector<bool>& row) {
        for (size_t j = 0; j < size; ++j) {
          if (row[j] && reach[i][j] && reach[j][i]) return true;
        }
        return false;
      });
      if (all) return true;
    }
    return false;
  }

  const Maze& maze_;
  std::vector<Step> steps_;
  std::vector<Formula> temporal_;
  std::vector<Node> nodes_;
  std::vector<std::vector<bool>> next_;
};

}  // namespace ordeal::oracle::liveness
