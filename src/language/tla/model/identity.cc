// Which states are one: fingerprints, under renamings of model values and in the view of a VIEW.
#include <algorithm>

#include "language/tla/model/explorer.h"
#include "language/tla/value/mutant.h"
#include "ordeal/detail/hash.h"

namespace ordeal::tla {

namespace {

// What is asked is about this state alone; afterwards the machine goes on with what it was at.
class InState {
 public:
  InState(Machine& machine, Value* state)
      : m_(machine),
        now_(machine.now),
        next_(machine.next),
        naming_(machine.naming),
        starting_(machine.starting) {
    m_.now = state;
    m_.next = nullptr;
    m_.naming = m_.starting = false;
  }
  InState(const InState&) = delete;
  InState& operator=(const InState&) = delete;
  ~InState() {
    m_.now = now_;
    m_.next = next_;
    m_.naming = naming_;
    m_.starting = starting_;
  }

 private:
  Machine& m_;
  Value* now_;
  Value* next_;
  bool naming_, starting_;
};

}  // namespace

uint64_t TlaExplorer::plain_fingerprint(const Value* values, bool second) const {
  uint64_t sum = second ? 0x9ae16a3b2f90404fULL : 0;
  for (size_t i = 0; i < now_.size(); ++i) {
    const uint64_t hash = second ? pooled_second_hash(values[i]) : pooled_hash(values[i]);
    sum += mix64(hash + (i + 1) * 0x9e3779b97f4a7c15ULL);
  }
  return mix64(sum);
}

uint64_t TlaExplorer::fingerprint_of(const Value* values) {
  if (spec_.view.node == nullptr && spec_.permutations.empty()) {
    return plain_fingerprint(values, false);
  }
  return canonical(values, false);
}

Value TlaExplorer::renamed(Value value, size_t permutation) {
  const std::map<uint32_t, uint32_t>& names = spec_.permutations[permutation];
  if (value.is_model()) {
    const auto at = names.find(value.atom());
    return at == names.end() ? value : Value::model(at->second);
  }
  if (!value.is_object()) return value;
  const auto [known, is_new] = renamed_[permutation].try_emplace(value.word());
  if (!is_new) return known->second;
  const Object& object = *value.object();
  Heap heap;
  Value out = value;
  if (object.kind != ObjectKind::kBig) {
    std::vector<Value> items;
    for (const Value item : object.items()) items.push_back(renamed(item, permutation));
    if (object.kind == ObjectKind::kSet) {
      out = make_set(heap, items);
    } else if (object.kind == ObjectKind::kTuple) {
      out = tla::make_tuple(heap, items);
    } else {
      std::vector<std::pair<Value, Value>> pairs;
      for (uint32_t i = 0; i < object.size; ++i) {
        pairs.emplace_back(renamed(object.keys->item(i), permutation), items[i]);
      }
      std::sort(pairs.begin(), pairs.end(),
                [&](const auto& a, const auto& b) { return compare(heap, a.first, b.first) < 0; });
      std::vector<Value> keys;
      items.clear();
      for (const auto& [key, item] : pairs) {
        keys.push_back(key);
        items.push_back(item);
      }
      out = make_function(heap, make_sorted_set(heap, keys).object(), items);
    }
    out = spec_.pool().intern(heap, out);
  }
  return renamed_[permutation][value.word()] = out;
}

// Of the state that machine_.now is. What has no value there is told of when the state is visited.
bool TlaExplorer::is_beyond_constraint() {
  try {
    return std::any_of(spec_.constraints.begin(), spec_.constraints.end(),
                       [&](const Part& part) { return !part_is_true(part); });
  } catch (const EvalError&) {
    return false;
  }
}

uint64_t TlaExplorer::canonical(const Value* values, bool second) {
  const size_t count = now_.size();
  std::vector<Value> state(values, values + count);
  const InState in_state(machine_, state.data());
  // Beyond the constraint a state stands for nobody but itself: one within that looks like it must
  // not be taken for one that was met.
  if (is_beyond_constraint()) return mix64(~plain_fingerprint(values, second));
  // Of the renamed states the one whose fingerprint is least; both hashes are of that one.
  uint64_t least = plain_fingerprint(values, false);
  std::vector<Value> other(count);
  for (size_t p = 0; p < spec_.permutations.size(); ++p) {
    if (mutant(TlaMutant::kFirstRenaming) && p > 0) break;
    for (size_t i = 0; i < count; ++i) other[i] = renamed(values[i], p);
    const uint64_t fingerprint = plain_fingerprint(other.data(), false);
    if (fingerprint >= least) continue;
    least = fingerprint;
    state = other;
  }
  if (spec_.view.node == nullptr) return second ? plain_fingerprint(state.data(), true) : least;
  machine_.now = state.data();
  const Value view =
      spec_.view.node->eval(machine_, machine_.frame(nullptr, spec_.view.layout->slots));
  const Value pooled = spec_.pool().intern(machine_.heap(), view);
  return second ? pooled_second_hash(pooled) : pooled_hash(pooled);
}

uint64_t TlaExplorer::fingerprint(StateRef state) {
  std::vector<Value> values(now_.size());
  load(state, values);
  asks_.clear();
  machine_.use(asks_);
  return fingerprint_of(values.data());
}

uint64_t TlaExplorer::second_fingerprint(StateRef state) {
  std::vector<Value> values(now_.size());
  load(state, values);
  if (spec_.view.node == nullptr && spec_.permutations.empty()) {
    return plain_fingerprint(values.data(), true);
  }
  asks_.clear();
  machine_.use(asks_);
  return canonical(values.data(), true);
}

}  // namespace ordeal::tla
