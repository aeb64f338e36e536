#include "explore/liveness/product.h"

#include <algorithm>
#include <map>

#include "base/mutant.h"

namespace ordeal::explore {
namespace {

// Which atoms a formula asks for.
void find_atoms(const Formula& formula, std::vector<bool>& states, std::vector<bool>& steps) {
  if (formula.is == Formula::Is::kState) states[formula.atom] = true;
  if (formula.is == Formula::Is::kStep) steps[formula.atom] = true;
  for (const Formula& part : formula.parts) find_atoms(part, states, steps);
}

std::vector<bool> only(const std::vector<bool>& row, const std::vector<bool>& asked) {
  std::vector<bool> out(row.size());
  for (size_t i = 0; i < row.size(); ++i) out[i] = row[i] && asked[i];
  return out;
}

constexpr uint64_t kMostMoves = uint64_t{1} << 22;  // states of an automaton times letters

}  // namespace

Product::Product(const RunGraph& graph, const Liveness& liveness, const Formula& formula)
    : graph_(graph), liveness_(liveness), automaton_(formula) {
  std::vector<bool> states(liveness.state_atoms);
  std::vector<bool> steps(liveness.step_atoms);
  find_atoms(formula, states, steps);
  std::map<std::pair<std::vector<bool>, std::vector<bool>>, uint32_t> known;
  letters_.reserve(uint64_t{graph.state_atoms().size()} * graph.step_atoms().size());
  for (uint32_t i = 0; i < graph.state_atoms().size(); ++i) {
    const std::vector<bool> of_state = only(graph.state_atoms()[i], states);
    for (uint32_t j = 0; j < graph.step_atoms().size(); ++j) {
      const auto at = known.emplace(std::pair(of_state, only(graph.step_atoms()[j], steps)),
                                    static_cast<uint32_t>(known.size()));
      letters_.push_back(at.first->second);
    }
  }
  letter_count_ = static_cast<uint32_t>(known.size());
}

bool Product::close() {
  if (is_empty()) return true;
  // One pair of rows for each letter.
  std::vector<Automaton::Letter> letters(letter_count_);
  for (uint32_t i = 0; i < graph_.state_atoms().size(); ++i) {
    for (uint32_t j = 0; j < graph_.step_atoms().size(); ++j) {
      letters[letters_[uint64_t{i} * graph_.step_atoms().size() + j]] = {&graph_.state_atoms()[i],
                                                                         &graph_.step_atoms()[j]};
    }
  }
  for (uint32_t state = 0; state < automaton_.states(); ++state) {
    if (uint64_t{state} * letter_count_ > kMostMoves) return false;
    for (const Automaton::Letter& letter : letters) {
      moves_.push_back(automaton_.moves(state, letter));
    }
  }
  width_ = automaton_.states();
  return true;
}

Product::Cursor Product::edges_from(uint64_t node) const {
  Cursor out;
  out.product_ = this;
  out.state_ = state_of(node);
  out.of_automaton_ = static_cast<uint32_t>(node % width_);
  out.edges_ = graph_.edges_from(out.state_);
  out.may_stay_ = liveness_.stutters;
  return out;
}

bool Product::accepts_staying(uint64_t node) {
  const uint32_t from = static_cast<uint32_t>(node % width_);
  const uint32_t atoms = graph_.atoms_of(state_of(node));
  const uint64_t key = uint64_t{atoms} * width_ + from;
  const auto [at, is_new] = stays_.emplace(key, false);
  if (!is_new) return at->second;
  // Which states of the automaton lead where while the state stays.
  const auto reached_from = [&](uint32_t begin) {
    std::vector<bool> seen(width_);
    std::vector<uint32_t> waiting = {begin};
    while (!waiting.empty()) {
      const uint32_t here = waiting.back();
      waiting.pop_back();
      for (const Automaton::Move& move : moves(here, atoms, 0)) {
        if (seen[move.to]) continue;
        seen[move.to] = true;
        waiting.push_back(move.to);
      }
    }
    return seen;
  };
  std::vector<bool> ahead = reached_from(from);
  ahead[from] = true;
  for (uint32_t centre = 0; centre < width_; ++centre) {
    if (!ahead[centre]) continue;
    const std::vector<bool> round = reached_from(centre);
    if (!round[centre]) continue;
    // What is met between those that lead there and back.
    std::vector<bool> met(acceptance_sets());
    for (uint32_t state = 0; state < width_; ++state) {
      if (!round[state] || !reached_from(state)[centre]) continue;
      for (const Automaton::Move& move : moves(state, atoms, 0)) {
        if (!round[move.to] || !reached_from(move.to)[centre]) continue;
        for (uint32_t set = 0; set < met.size(); ++set) {
          if (!move.put_off.has(set)) met[set] = true;
        }
      }
    }
    if (std::find(met.begin(), met.end(), false) == met.end()) return at->second = true;
  }
  return false;
}

bool Product::Cursor::next(ProductEdge& out) {
  const RunGraph& graph = product_->graph_;
  while (moves_ == nullptr || move_ == moves_->size()) {
    uint32_t steps = 0;
    if (edges_.next(edge_)) {
      if (edge_.to == RunGraph::kOutside) continue;
      if (edge_.to == state_ && mutant(Mutant::kSelfLoopsIgnored)) continue;
      steps = graph.label(edge_.label).atoms;
    } else {
      if (!may_stay_) return false;
      may_stay_ = false;
      stays_ = true;
      edge_ = {.to = state_};
    }
    moves_ = &product_->moves(of_automaton_, graph.atoms_of(state_), steps);
    move_ = 0;
  }
  const Automaton::Move& move = (*moves_)[move_++];
  out.from = uint64_t{state_} * product_->width_ + of_automaton_;
  out.to = uint64_t{edge_.to} * product_->width_ + move.to;
  out.state = state_;
  out.label = edge_.label;
  out.choice = edge_.choice;
  out.put_off = &move.put_off;
  out.stays = stays_;
  return true;
}

}  // namespace ordeal::explore
