#include "language/tla/model/space.h"

namespace ordeal::tla {

value::Tree tree_of(Value value) {
  using value::Tree;
  if (!value.defined()) return Tree::of(Tree::Kind::kNull);
  if (value.is_small()) return Tree::number(value.number());
  if (value.is_bool()) return Tree::boolean(value.truth());
  if (value.is_string()) return Tree::string(atom_text(value.atom()));
  if (value.is_model()) return Tree::enumerator(atom_text(value.atom()));
  if (value.is(ObjectKind::kBig)) return Tree::enumerator(to_text(value));
  if (value.is_pending()) return Tree::of(Tree::Kind::kNull);
  const Object& object = *value.object();
  switch (object.kind) {
    case ObjectKind::kSet: {
      Tree out = Tree::of(Tree::Kind::kSet);
      for (const Value item : object.items()) out.items.push_back(tree_of(item));
      return out;
    }
    case ObjectKind::kTuple: {
      Tree out = Tree::of(Tree::Kind::kList);
      for (const Value item : object.items()) out.items.push_back(tree_of(item));
      return out;
    }
    case ObjectKind::kFunction: {
      bool is_record = true;
      for (const Value key : object.keys->items()) is_record = is_record && key.is_string();
      Tree out = is_record ? Tree::record("") : Tree::of(Tree::Kind::kMap);
      for (uint32_t i = 0; i < object.size; ++i) {
        if (is_record) {
          out.add(atom_text(object.keys->item(i).atom()), tree_of(object.item(i)));
        } else {
          out.items.push_back(tree_of(object.keys->item(i)));
          out.items.push_back(tree_of(object.item(i)));
        }
      }
      return out;
    }
    default: {
      // What is not written out yet.
      try {
        Heap heap;
        return tree_of(deep_normal(heap, value));
      } catch (const EvalError&) {
        return Tree::enumerator(to_text(value));
      }
    }
  }
}

}  // namespace ordeal::tla
