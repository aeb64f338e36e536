// Sets one element after the other, in the order of compare().
#include "language/tla/value/inner.h"

namespace ordeal::tla {

void Elements::list(std::span<const Value> items) {
  item_ = items.data();
  end_ = items.data() + items.size();
}

Elements::Elements(Heap& heap, Value set) : heap_(heap) {
  if (!is_set(set)) fail(describe(set) + " is no set: it has no elements to go through");
  set_ = set.object();
  if (set_->kind == ObjectKind::kSet) {
    list(set_->items());
    return;
  }
  if (set_->kind != ObjectKind::kInterval && set_->normal != nullptr) {
    list(set_->normal->items());
    return;
  }
  if (!is_enumerable(set)) {
    fail("the elements of " + short_text(set) + " cannot be enumerated: it is infinite");
  }
  made_ = true;
  switch (set_->kind) {
    case ObjectKind::kInterval:
      number_ = set_->low;
      break;
    case ObjectKind::kSubset:
      parts_.push_back(normal_set(heap, set_->item(0)));
      break;
    case ObjectKind::kFilter:
      base_ = std::make_unique<Elements>(heap, set_->item(0));
      break;
    default:
      prepare_parts();
  }
}

void Elements::prepare_parts() {
  const bool functions = set_->kind == ObjectKind::kFunctionSet;
  const Object* const keys = functions ? normal_set(heap_, set_->item(0)) : set_;
  const Object* const range = functions ? normal_set(heap_, set_->item(1)) : nullptr;
  parts_.reserve(keys->size + 1);
  for (uint32_t i = 0; i < keys->size; ++i) {
    parts_.push_back(functions ? range : normal_set(heap_, set_->item(i)));
    if (parts_.back()->size == 0) made_ = false;
  }
  odometer_.assign(parts_.size(), 0);
  // The domain that all of them share comes last.
  if (functions) parts_.push_back(keys);
}

bool Elements::next_made(Value& out) {
  switch (set_->kind) {
    case ObjectKind::kInterval:
      out = integer(heap_, number_);
      made_ = number_ != set_->high();
      number_ = made_ ? number_ + 1 : number_;
      return true;
    case ObjectKind::kSubset:
      return next_subset(out);
    case ObjectKind::kFilter:
      return next_filtered(out);
    default:
      return next_choice(out);
  }
}

// By size; those of a size as positions in the base, counted up.
bool Elements::next_subset(Value& out) {
  const Object* const base = parts_[0];
  const auto taken = static_cast<uint32_t>(odometer_.size());
  if (started_) {
    uint32_t i = taken;
    while (i > 0 && odometer_[i - 1] == base->size - taken + i - 1) --i;
    if (i == 0) {
      if (taken == base->size) {
        made_ = false;
        return false;
      }
      odometer_.resize(taken + 1);
      for (uint32_t j = 0; j <= taken; ++j) odometer_[j] = j;
    } else {
      ++odometer_[i - 1];
      for (uint32_t j = i; j < taken; ++j) odometer_[j] = odometer_[j - 1] + 1;
    }
  }
  started_ = true;
  if (odometer_.empty()) {
    out = empty_set();
    return true;
  }
  const auto count = static_cast<uint32_t>(odometer_.size());
  Object* const made = make_object(heap_, ObjectKind::kSet, count);
  for (uint32_t i = 0; i < count; ++i) made->data()[i] = base->item(odometer_[i]);
  out = Value::of(made);
  return true;
}

// The last choice changes fastest.
bool Elements::next_choice(Value& out) {
  const auto count = static_cast<uint32_t>(odometer_.size());
  if (started_) {
    uint32_t i = count;
    while (i > 0 && odometer_[i - 1] + 1 == parts_[i - 1]->size) odometer_[--i] = 0;
    if (i == 0) {
      made_ = false;
      return false;
    }
    ++odometer_[i - 1];
  }
  started_ = true;
  if (count == 0) {
    out = Value::of(empty_tuple_object());
    return true;
  }
  const Object* const keys = set_->kind == ObjectKind::kProduct     ? nullptr
                             : set_->kind == ObjectKind::kRecordSet ? set_->keys
                                                                    : parts_[count];
  const bool tuple = keys == nullptr || is_counting(keys);
  Object* const made =
      make_object(heap_, tuple ? ObjectKind::kTuple : ObjectKind::kFunction, count);
  if (!tuple) made->keys = keys;
  for (uint32_t i = 0; i < count; ++i) made->data()[i] = parts_[i]->item(odometer_[i]);
  out = Value::of(made);
  return true;
}

bool Elements::next_filtered(Value& out) {
  while (base_->next(out)) {
    const Value is = set_->callable->call(out);
    if (!is.is_bool()) fail("the condition of a set must be a boolean, but is " + describe(is));
    if (is.truth()) return true;
  }
  made_ = false;
  return false;
}

}  // namespace ordeal::tla
