// Going through the ways to bind the names of quantifiers, functions and sets.
#pragma once

#include <algorithm>
#include <vector>

#include "language/tla/eval/nodes.h"

namespace ordeal::tla {

// Gives the names of a bound their values, where the name at `at` gets `element`.
inline void bind(Machine& m, Frame* f, const BoundSet& bound, size_t at, Value element) {
  if (!bound.is_tuple) {
    f->slot(bound.slots[at]) = element;
    return;
  }
  const Object* const tuple = normal_function(m.heap(), element);
  if (tuple->kind != ObjectKind::kTuple || tuple->size != bound.slots.size()) {
    fail("<<…>> of " + std::to_string(bound.slots.size()) + " names cannot be bound to " +
         describe(element));
  }
  for (uint32_t i = 0; i < tuple->size; ++i) f->slot(bound.slots[i]) = tuple->item(i);
}

// A loop ends here, with an error, instead of never.
constexpr int64_t kMostGoneThrough = 1'000'000'000;
[[noreturn]] void fail_to_go_through(Heap& heap, Value set);
// Of what goes through all elements in any case: fails before it begins.
void check_walk(Heap& heap, Value set);

// Calls `body(element)` for the elements of a set in their order, until it says false.
template <class F>
bool for_each_element(Machine& m, Value set, F&& body) {
  if (set.is(ObjectKind::kSet)) {
    const Object* const object = set.object();
    for (uint32_t i = 0; i < object->size; ++i) {
      if (!body(object->item(i))) return false;
    }
    return true;
  }
  if (set.is(ObjectKind::kInterval)) {
    const Object* const object = set.object();
    const int64_t last = object->high();
    const int64_t bound = std::min(last, object->low + kMostGoneThrough);
    for (int64_t i = object->low; i <= bound; ++i) {
      if (!body(integer(m.heap(), i))) return false;
    }
    if (bound < last) fail_to_go_through(m.heap(), set);
    return true;
  }
  Elements elements(m.heap(), set);
  Value element;
  for (int64_t i = 0; elements.next(element); ++i) {
    if (!body(element)) return false;
    if (i == kMostGoneThrough) fail_to_go_through(m.heap(), set);
  }
  return true;
}

// The values of the sets of bounds, which are evaluated before any name is bound.
class BoundValues {
 public:
  BoundValues(Machine& m, Frame* f, const std::vector<BoundSet>& bounds) : bounds_(bounds) {
    if (bounds.size() > kFew) {
      many_.resize(bounds.size());
      sets_ = many_.data();
    }
    for (size_t i = 0; i < bounds.size(); ++i) {
      const BoundSet& bound = bounds[i];
      const Value set = value_of(*bound.set, m, f);
      if (!is_set(set)) {
        placed(*bound.set,
               [&] { fail("names are bound to elements of sets, not to " + describe(set)); });
      }
      if (!is_enumerable(set)) {
        placed(*bound.set,
               [&] { fail("the elements of " + describe(set) + " cannot be enumerated"); });
      }
      sets_[i] = set;
    }
  }

  BoundValues(const BoundValues&) = delete;
  BoundValues& operator=(const BoundValues&) = delete;

  // Of what goes through all elements in any case.
  void check_walks(Machine& m) const {
    for (size_t i = 0; i < bounds_.size(); ++i) {
      placed(*bounds_[i].set, [&] { check_walk(m.heap(), sets_[i]); });
    }
  }

  // Calls `body()` for every way to bind all names, the last name changing fastest, until it says
  // false. `witness(name, value)` is told of each name; `unwitness(count)` that the last are over.
  template <class F>
  bool each(Machine& m, Frame* f, F&& body) const {
    return from(m, f, 0, 0, body);
  }

 private:
  template <class F>
  bool from(Machine& m, Frame* f, size_t bound, size_t name, F& body) const {
    if (bound == bounds_.size()) return body();
    const BoundSet& here = bounds_[bound];
    const bool last = here.is_tuple || name + 1 == here.slots.size();
    return for_each_element(m, sets_[bound], [&](Value element) {
      bind(m, f, here, name, element);
      return last ? from(m, f, bound + 1, 0, body) : from(m, f, bound, name + 1, body);
    });
  }

  const std::vector<BoundSet>& bounds_;
  // Nearly always there are few: then nothing is allocated.
  static constexpr size_t kFew = 4;
  Value few_[kFew];
  std::vector<Value> many_;
  Value* sets_ = few_;
};

inline void children_of(const std::vector<BoundSet>& bounds, std::vector<const Node*>& out) {
  for (const BoundSet& bound : bounds) out.push_back(bound.set.get());
}

}  // namespace ordeal::tla
