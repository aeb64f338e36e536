// Linearizability from return to return.
//
// A configuration says which of the operations under way have taken effect, and the state then. At
// each return, configurations in which the returning operation has not taken effect go on, by
// letting others take effect first, until it has; all the others wait. Where none is left, the
// history is not linearizable. As all configurations of one return are known together, those that
// another one outdoes are dropped at once, and those of earlier returns are forgotten.
//
//  - A query takes effect as soon as it fits. Of two configurations with the same state and the
//    same updates, the one with more queries can do all that the other can.
//  - Of operations that do the same in every state, the one that returns first goes first.
//  - Operations that never return may take effect or not, those of a kind in the order of their
//    calls: only how many of each kind are used matters, and fewer is better.
//
// How many are used would still tell very many configurations apart. So at first nothing is
// counted, as if an operation that never returns could take effect again and again. Where even that
// finds no order there is none. Where it finds one, the cheapest is tried: if it uses no kind more
// often than that was called, it is an order. Else the kinds that it uses too often are counted
// from then on, and the search begins anew; in the end all are counted.
#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "history/finite_model.h"
#include "history/layer_table.h"
#include "ordeal/detail/linear_check.h"

namespace ordeal::detail {
namespace {

constexpr uint32_t kMisfit = FiniteModel::kMisfit;
// In a path: not an operation but one of this kind that never returns; and whether it was one more
// than there were.
constexpr uint32_t kOptional = uint32_t{1} << 31;
constexpr uint32_t kTooMany = uint32_t{1} << 30;
constexpr uint64_t kTooManyCost = uint64_t{1} << 32;

bool has_bit(const uint64_t* words, uint32_t bit) { return (words[bit / 64] >> (bit % 64)) & 1; }
void set_bit(uint64_t* words, uint32_t bit) { words[bit / 64] |= uint64_t{1} << (bit % 64); }
void clear_bit(uint64_t* words, uint32_t bit) { words[bit / 64] &= ~(uint64_t{1} << (bit % 64)); }

class LayeredSearch {
 public:
  enum class Round { kFound, kTooOften, kNone, kLimit };

  LayeredSearch(const FiniteModel& model, std::span<const Interval> ops, const LinearLimits& limits)
      : model_(model),
        ops_(ops),
        limits_(limits),
        deadline_(std::chrono::steady_clock::now() + limits.time) {
    sort_operations();
  }

  LayeredOutcome run() {
    LayeredOutcome out;
    bool known = false;
    while (true) {
      const Round round = search();
      out.configurations = visited_;
      if (known && round == Round::kLimit) return out;
      if (round != Round::kTooOften && (!known || ops_[blocked_].ret >= out.blocked_return)) {
        out.order = best_;
        out.blocked = blocked_;
        out.blocked_return = ops_[blocked_].ret;
      }
      if (round == Round::kFound) out.verdict = LinearVerdict::kLinearizable;
      if (round == Round::kFound || round == Round::kLimit) return out;
      if (round == Round::kNone) {
        out.verdict = LinearVerdict::kNotLinearizable;
        // The answer is known. But where only an impossible order came this far, the explanation
        // is about an earlier place: look again, for a while.
        if (!extinct_) return out;
        if (!known) most_visited_ = 8 * visited_ + kForExplanation;
        known = true;
      }
      for (OptionalKind& optional : optional_) optional.counted |= optional.too_often;
    }
  }

 private:
  static constexpr size_t kForExplanation = size_t{1} << 16;
  static constexpr uint32_t kMostCompared = 2048;  // states
  static constexpr uint32_t kUnknown = UINT32_MAX - 1;
  static constexpr size_t kPathsToKeep = size_t{1} << 16;

  using Todo = std::pair<uint64_t, uint32_t>;  // cost and row

  struct Active {  // an operation under way that returns
    uint32_t kind, ret, op, slot;
  };
  struct OptionalKind {
    uint32_t kind = 0;
    std::vector<uint32_t> ops;  // in order of call
    uint32_t called = 0;        // how many of them before the current return
    bool counted = false;
    bool too_often = false;  // in the order that the last search found
  };

  void sort_operations() {
    is_query_.assign(model_.kinds, 1);
    for (uint32_t state = 0; state < model_.states; ++state) {
      for (uint32_t kind = 0; kind < model_.kinds; ++kind) {
        const uint32_t next = after(state, kind);
        if (next != state && next != kMisfit) is_query_[kind] = 0;
      }
    }
    std::map<uint32_t, std::vector<uint32_t>> never;
    for (uint32_t op = 0; op < ops_.size(); ++op) {
      if (ops_[op].ret != kNeverReturns) {
        by_call_.push_back(op);
      } else if (!is_query(op)) {
        never[model_.kind_of[op]].push_back(op);
      }
    }
    const auto call_order = [&](uint32_t a, uint32_t b) { return ops_[a].call < ops_[b].call; };
    std::sort(by_call_.begin(), by_call_.end(), call_order);
    by_return_ = by_call_;
    std::stable_sort(by_return_.begin(), by_return_.end(),
                     [&](uint32_t a, uint32_t b) { return ops_[a].ret < ops_[b].ret; });
    for (auto& [kind, ops] : never) {
      std::sort(ops.begin(), ops.end(), call_order);
      optional_.push_back({kind, std::move(ops)});
    }

    last_return_.assign(model_.kinds, 0);
    only_optional_.assign(model_.kinds, 1);
    for (uint32_t op = 0; op < ops_.size(); ++op) {
      const uint32_t kind = model_.kind_of[op];
      last_return_[kind] = std::max(last_return_[kind], ops_[op].ret);
      if (ops_[op].ret != kNeverReturns) only_optional_[kind] = 0;
    }
    by_last_return_.resize(model_.kinds);
    std::iota(by_last_return_.begin(), by_last_return_.end(), 0);
    std::sort(by_last_return_.begin(), by_last_return_.end(),
              [&](uint32_t a, uint32_t b) { return last_return_[a] > last_return_[b]; });
    if (model_.states <= kMostCompared) {
      needed_until_.assign(size_t{model_.states} * model_.states, kUnknown);
    }

    // A slot for each operation under way.
    slot_.resize(ops_.size());
    uint32_t slots[2] = {0, 0};
    std::vector<uint32_t> free[2];
    size_t next = 0;
    for (const uint32_t op : by_return_) {
      for (; next < by_call_.size() && ops_[by_call_[next]].call < ops_[op].ret; ++next) {
        const bool query = is_query(by_call_[next]);
        if (free[query].empty()) free[query].push_back(slots[query]++);
        slot_[by_call_[next]] = free[query].back();
        free[query].pop_back();
      }
      free[is_query(op)].push_back(slot_[op]);
    }
    shape_.update_words = (slots[0] + 63) / 64;
    shape_.query_words = (slots[1] + 63) / 64;
    shape_.count_words = (optional_.size() + 3) / 4;
  }

  Round search() {
    shape_.counted.assign(shape_.count_words, 0);
    for (size_t k = 0; k < optional_.size(); ++k) {
      OptionalKind& optional = optional_[k];
      if (optional.counted) shape_.counted[k / 4] |= uint64_t{0xffff} << (k % 4 * 16);
      optional.called = 0;
      optional.too_often = false;
    }
    row_.assign(shape_.stride(), 0);
    layer_.reset(shape_);
    waiting_.reset(shape_.stride());
    waiting_.add(row_.data());
    paths_.reset();
    paths_kept_ = 0;
    updates_.clear();
    queries_.clear();
    best_.clear();
    extinct_ = false;
    size_t called = 0;
    for (const uint32_t op : by_return_) {
      admit(ops_[op].ret, called);
      if (!grow_layer(op)) {
        if (!extinct_) find_best(op);
        return Round::kLimit;
      }
      if (!finish_layer(op)) return Round::kNone;
    }
    return found();
  }

  // Lets the operations in that were called before the return at `position`.
  void admit(uint32_t position, size_t& called) {
    position_ = position;
    for (; called < by_call_.size() && ops_[by_call_[called]].call < position; ++called) {
      const uint32_t op = by_call_[called];
      (is_query(op) ? queries_ : updates_)
          .push_back({model_.kind_of[op], ops_[op].ret, op, slot_[op]});
    }
    std::sort(updates_.begin(), updates_.end(), [](const Active& a, const Active& b) {
      return std::tie(a.kind, a.ret, a.op) < std::tie(b.kind, b.ret, b.op);
    });
    for (OptionalKind& optional : optional_) {
      while (optional.called < optional.ops.size() &&
             ops_[optional.ops[optional.called]].call < position) {
        ++optional.called;
      }
    }
  }

  // All configurations up to the one operation; false when a limit is reached.
  bool grow_layer(uint32_t op) {
    const size_t bits = is_query(op) ? shape_.queries() : RowShape::kUpdates;
    layer_.clear();
    todo_ = {};
    const auto store = [&](uint32_t parent, uint32_t placed) {
      settle();
      const uint32_t id = layer_.insert(row_.data());
      if (id == LayerTable::kCovered) return;
      ++visited_;
      uint64_t* row = layer_[id];
      row[RowShape::kNode] = path_to(parent, placed, base_.data() + shape_.queries());
      if (!has_bit(row + bits, slot_[op])) todo_.push({row[RowShape::kCost], id});
    };
    for (uint32_t i = 0; i < waiting_.size(); ++i) {
      row_.assign(waiting_[i], waiting_[i] + shape_.stride());
      base_ = row_;
      store(static_cast<uint32_t>(base_[RowShape::kNode]), kMisfit);
      if (i % 256 == 0 && over_limit()) return false;
    }
    for (size_t steps = 1; !todo_.empty(); ++steps) {
      const uint32_t id = todo_.top().second;
      todo_.pop();
      if (steps % 256 == 0 && over_limit()) return false;
      if (!layer_.dropped(id) && !expand(id, store)) return false;
    }
    return !over_limit();
  }

  template <class Store>
  bool expand(uint32_t id, const Store& store) {
    base_.assign(layer_[id], layer_[id] + shape_.stride());
    const uint32_t state = static_cast<uint32_t>(base_[RowShape::kState]);
    const uint32_t node = static_cast<uint32_t>(base_[RowShape::kNode]);
    uint32_t tried = kMisfit;
    for (const Active& update : updates_) {
      if (update.kind == tried || has_bit(&base_[RowShape::kUpdates], update.slot)) continue;
      tried = update.kind;
      const uint32_t next = after(state, update.kind);
      if (next == kMisfit) continue;
      row_ = base_;
      row_[RowShape::kState] = next;
      set_bit(&row_[RowShape::kUpdates], update.slot);
      store(node, update.op);
    }
    for (uint32_t k = 0; k < optional_.size(); ++k) {
      const OptionalKind& optional = optional_[k];
      if (optional.called == 0) continue;
      const uint32_t next = after(state, optional.kind);
      if (next == kMisfit || next == state || useless(state, next)) continue;
      const size_t word = shape_.counts() + k / 4;
      const uint32_t used = (base_[word] >> (k % 4 * 16)) & 0xffff;
      const bool too_many = used >= optional.called;
      if (too_many && optional.counted) continue;
      if (used == 0xffff && optional.counted) return false;  // more than the row has room for
      row_ = base_;
      row_[RowShape::kState] = next;
      row_[RowShape::kCost] += 1 + (too_many ? kTooManyCost : 0);
      if (used != 0xffff) row_[word] += uint64_t{1} << (k % 4 * 16);
      store(node, kOptional | (too_many ? kTooMany : 0) | k);
    }
    return true;
  }

  // Whether all that can still happen in state `to` can as well happen in `from`: then nothing that
  // need not take effect should lead there. REQUIRES: from != to.
  bool useless(uint32_t from, uint32_t to) {
    if (needed_until_.empty()) return false;
    uint32_t& until = needed_until_[size_t{from} * model_.states + to];
    if (until == kUnknown) {
      until = 0;
      for (const uint32_t kind : by_last_return_) {
        const uint32_t goal = after(to, kind), instead = after(from, kind);
        if (goal == kMisfit || goal == instead || (goal == to && instead == from)) continue;
        if (last_return_[kind] == kNeverReturns && only_optional_[kind] &&
            (goal == to || goal == from)) {
          continue;
        }
        until = last_return_[kind];
        break;
      }
    }
    return until < position_;
  }

  // In row_, every query that fits takes effect.
  void settle() {
    const uint32_t state = static_cast<uint32_t>(row_[RowShape::kState]);
    for (const Active& query : queries_) {
      if (after(state, query.kind) == state) set_bit(&row_[shape_.queries()], query.slot);
    }
  }

  // The path from a parent's to row_: `placed`, if it is something, and the queries that are new.
  uint32_t path_to(uint32_t node, uint32_t placed, const uint64_t* before) {
    if (placed != kMisfit) node = paths_.add(node, placed);
    for (const Active& query : queries_) {
      if (has_bit(&row_[shape_.queries()], query.slot) && !has_bit(before, query.slot)) {
        node = paths_.add(node, query.op);
      }
    }
    return node;
  }

  // Takes the operation away and leaves the configurations, cheapest first, in which it took
  // effect; false when there are none.
  bool finish_layer(uint32_t op) {
    const size_t bits = is_query(op) ? shape_.queries() : RowShape::kUpdates;
    std::vector<std::pair<uint64_t, uint32_t>> left;
    for (uint32_t id = 0; id < layer_.size(); ++id) {
      if (!layer_.dropped(id) && has_bit(layer_[id] + bits, slot_[op])) {
        left.emplace_back(layer_[id][RowShape::kCost], id);
      }
    }
    std::sort(left.begin(), left.end());
    if (!extinct_ && (left.empty() || left.front().first >= kTooManyCost)) {
      find_best(op);
      extinct_ = !left.empty();
    }
    if (left.empty()) {
      uint32_t best = 0;
      for (uint32_t id = 1; id < layer_.size(); ++id) {
        if (layer_[id][RowShape::kCost] < layer_[best][RowShape::kCost]) best = id;
      }
      mark_too_often(layer_[best]);
      return false;
    }
    waiting_.clear();
    for (const auto& [cost, id] : left) {
      clear_bit(layer_[id] + bits, slot_[op]);
      waiting_.add(layer_[id]);
    }
    std::erase_if(is_query(op) ? queries_ : updates_,
                  [&](const Active& active) { return active.op == op; });
    if (paths_.size() > 2 * paths_kept_ + kPathsToKeep) {
      paths_.keep_only(waiting_);
      paths_kept_ = paths_.size();
      layer_.clear();
      layer_.trim();
      waiting_.trim();
    }
    return true;
  }

  Round found() {
    uint32_t best = 0;
    for (uint32_t id = 1; id < waiting_.size(); ++id) {
      if (waiting_[id][RowShape::kCost] < waiting_[best][RowShape::kCost]) best = id;
    }
    if (mark_too_often(waiting_[best])) return Round::kTooOften;
    take_path(waiting_[best]);
    return Round::kFound;
  }

  // Of the kinds that never return, marks those of which the path uses more than there were.
  bool mark_too_often(const uint64_t* row) {
    std::vector<uint32_t> path;
    paths_.path(static_cast<uint32_t>(row[RowShape::kNode]), path);
    bool any = false;
    for (const uint32_t op : path) {
      if ((op & kOptional) == 0 || (op & kTooMany) == 0) continue;
      optional_[op & ~(kOptional | kTooMany)].too_often = any = true;
    }
    return any;
  }

  // Makes the path of a row the best order. REQUIRES: it uses nothing too often.
  void take_path(const uint64_t* row) {
    paths_.path(static_cast<uint32_t>(row[RowShape::kNode]), best_);
    std::vector<uint32_t> used(optional_.size(), 0);
    for (uint32_t& op : best_) {
      if ((op & kOptional) == 0) continue;
      const uint32_t k = op & ~kOptional;
      op = optional_[k].ops[used[k]++];
    }
  }

  // Of the orders that got to the return of `op`, the one with most operations that return.
  void find_best(uint32_t op) {
    const size_t bits = is_query(op) ? shape_.queries() : RowShape::kUpdates;
    blocked_ = op;
    std::pair<bool, int> most{false, -1};
    for (uint32_t id = 0; id < layer_.size(); ++id) {
      const uint64_t* row = layer_[id];
      if (row[RowShape::kCost] >= kTooManyCost) continue;
      std::pair<bool, int> size{!has_bit(row + bits, slot_[op]), 0};
      for (size_t w = RowShape::kUpdates; w < shape_.counts(); ++w) {
        size.second += std::popcount(row[w]);
      }
      if (size <= most) continue;
      most = size;
      take_path(row);
    }
    // Only where a limit was reached may it be in there.
    best_.erase(std::find(best_.begin(), best_.end(), op), best_.end());
  }

  bool over_limit() const {
    if (visited_ > most_visited_) return true;
    const size_t bytes = layer_.bytes() + waiting_.bytes() + paths_.bytes() +
                         todo_.size() * sizeof(Todo) + model_.after.size() * sizeof(uint32_t);
    if (limits_.memory_bytes != 0 && bytes > limits_.memory_bytes) return true;
    return limits_.time.count() != 0 && std::chrono::steady_clock::now() > deadline_;
  }

  bool is_query(uint32_t op) const { return is_query_[model_.kind_of[op]] != 0; }
  uint32_t after(uint32_t state, uint32_t kind) const {
    return model_.after[size_t{state} * model_.kinds + kind];
  }

  const FiniteModel& model_;
  std::span<const Interval> ops_;
  LinearLimits limits_;
  std::chrono::steady_clock::time_point deadline_;
  size_t most_visited_ = SIZE_MAX;
  size_t visited_ = 0;

  std::vector<char> is_query_;                 // by kind
  std::vector<uint32_t> by_call_, by_return_;  // operations that return
  std::vector<uint32_t> slot_;  // by operation, where its bit is while it is under way
  std::vector<uint32_t> last_return_, by_last_return_;  // of each kind; kinds, the latest first
  std::vector<char> only_optional_;                     // by kind: whether none of it returns
  std::vector<uint32_t> needed_until_;                  // see useless()
  std::vector<OptionalKind> optional_;
  RowShape shape_;

  uint32_t position_ = 0;                  // of the return that is looked at
  std::vector<Active> updates_, queries_;  // under way, updates by kind and return
  LayerTable layer_;
  RowStore waiting_;  // what the last layer left
  std::priority_queue<Todo, std::vector<Todo>, std::greater<>> todo_;
  std::vector<uint64_t> base_, row_;
  PathStore paths_;
  size_t paths_kept_ = 0;

  std::vector<uint32_t> best_;
  uint32_t blocked_ = 0;
  bool extinct_ = false;  // every order that got this far uses something too often
};

}  // namespace

LayeredOutcome search_in_layers(FiniteModel model, std::span<const Interval> ops,
                                const LinearLimits& limits) {
  reduce(model);
  return LayeredSearch(model, ops, limits).run();
}

}  // namespace ordeal::detail
