// Elements at random, without writing large sets out.
#include "language/tla/library/arguments.h"

namespace ordeal::tla {
namespace {

Value random_of(Host& host, const Object* set) { return set->item(host.random(set->size)); }

}  // namespace

Value random_element(BuiltinCall& call, Value set, std::string_view name) {
  Heap& heap = call.heap();
  Host& host = call.host();
  if (!is_enumerable(set)) {
    fail(std::string(name) + " needs a finite set, but " + to_text(set) + " is infinite");
  }
  const Object* const object = set.object();
  switch (object->kind) {
    case ObjectKind::kInterval: {
      const uint64_t last =
          static_cast<uint64_t>(object->high()) - static_cast<uint64_t>(object->low);
      if (last == UINT64_MAX) fail(std::string(name) + " of all integers of 64 bits");
      return integer(
          heap, static_cast<int64_t>(static_cast<uint64_t>(object->low) + host.random(last + 1)));
    }
    case ObjectKind::kSubset: {
      const Object* const base = normal_set(heap, object->item(0));
      std::vector<Value> taken;
      for (const Value element : base->items()) {
        if (host.random(2) == 1) taken.push_back(element);
      }
      return make_sorted_set(heap, taken);
    }
    case ObjectKind::kFunctionSet: {
      const Object* const keys = normal_set(heap, object->item(0));
      std::vector<Value> items;
      for (uint32_t i = 0; i < keys->size; ++i) {
        items.push_back(random_element(call, object->item(1), name));
      }
      return make_function(heap, keys, items);
    }
    case ObjectKind::kRecordSet:
    case ObjectKind::kProduct: {
      std::vector<Value> items;
      for (const Value one : object->items()) items.push_back(random_element(call, one, name));
      if (object->kind == ObjectKind::kProduct)
        return make_tuple(heap, std::span<const Value>(items));
      return make_function(heap, object->keys, items);
    }
    default: {
      const Object* const elements = normal_set(heap, set);
      if (elements->size == 0) fail(std::string(name) + " of the empty set");
      return random_of(host, elements);
    }
  }
}

}  // namespace ordeal::tla
