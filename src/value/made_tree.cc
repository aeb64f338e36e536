// Values of types that were made at run time as trees.
#include <string>
#include <utility>
#include <vector>

#include "value/made_operations.h"

namespace ordeal::detail {

using value::Tree;
using value::Type;

Tree MadeOperations::tree(const void* object, const Type& t) {
  const MadeType& type = MadeType::of(t);
  switch (type.shape()) {
    case Shape::kEnum:
      return Tree::enumerator(type.parts()[static_cast<size_t>(number(object))].name);
    case Shape::kRecord: {
      Tree out = Tree::record(type.name());
      for (const auto& part : type.parts()) {
        out.add(part.name, part.type->tree(at(object, part.offset)));
      }
      return out;
    }
    case Shape::kOptional: {
      const Type* content = type.held(object);
      if (content == nullptr) return Tree();
      if (!content->is_nullable()) return content->tree(object);
      Tree some = Tree::of(Tree::Kind::kList);
      some.items.push_back(content->tree(object));
      return some;
    }
    case Shape::kVariant: {
      const MadeType::Part& part = type.parts()[type.tag(object)];
      if (part.stands_alone) return part.type->tree(object);
      Tree wrapped = Tree::record(part.name);
      wrapped.add("", part.type->tree(object));
      return wrapped;
    }
    default: {
      Tree out = Tree::of(type.shape() == Shape::kList  ? Tree::Kind::kList
                          : type.shape() == Shape::kSet ? Tree::Kind::kSet
                                                        : Tree::Kind::kMap);
      const RawItems& all = items(object);
      for (size_t i = 0; i < all.size; ++i) {
        for (const auto& part : type.parts()) {
          out.items.push_back(part.type->tree(type.item(all, i) + part.offset));
        }
      }
      return out;
    }
  }
}

namespace {

bool load_enumerator(const Tree& tree, void* object, Misfit& misfit, const MadeType& type) {
  if (tree.kind != Tree::Kind::kText && tree.kind != Tree::Kind::kEnumerator) {
    return misfit.expected("an enumerator of " + std::string(type.name()), tree);
  }
  const MadeType::Part* part = type.find(tree.text);
  if (part == nullptr) {
    return misfit.expected("an enumerator of " + std::string(type.name()), tree);
  }
  number(object) = static_cast<int32_t>(part - type.parts().data());
  return true;
}

bool load_record(const Tree& tree, void* object, Misfit& misfit, const MadeType& type) {
  std::vector<std::string_view> names;
  for (const auto& part : type.parts()) names.push_back(part.name);
  std::vector<const Tree*> fields(names.size() + 1, nullptr);
  if (!check_record(tree, type.name(), names.data(), names.size(), fields.data(), misfit)) {
    return false;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    const MadeType::Part& part = type.parts()[i];
    if (!part.type->load(*fields[i], at(object, part.offset), misfit)) {
      return misfit.in_field(part.name);
    }
  }
  return true;
}

bool load_optional(const Tree& tree, void* object, Misfit& misfit, const MadeType& type) {
  const bool present = tree.kind != Tree::Kind::kNull;
  type.hold(object, present ? 1 : 0);
  if (!present) return true;
  const Type& content = *type.parts()[0].type;
  if (!content.is_nullable()) return content.load(tree, object, misfit);
  if (!is_sequence(tree) || tree.items.size() != 1) {
    return misfit.expected("nothing, or a list of one", tree);
  }
  return content.load(tree.items[0], object, misfit);
}

bool load_variant(const Tree& tree, void* object, Misfit& misfit, const MadeType& type) {
  std::string names;
  for (size_t i = 0; i < type.parts().size(); ++i) {
    const MadeType::Part& part = type.parts()[i];
    const Tree* content = nullptr;
    if (part.type->shape() == Shape::kUnit && part.stands_alone) {
      if (tree.kind == Tree::Kind::kNull) content = &tree;
    } else if (tree.kind == Tree::Kind::kRecord && tree.text == part.name) {
      content = part.stands_alone ? &tree : tree.find("");
    }
    names += (names.empty() ? "" : ", ") + part.name;
    if (content == nullptr) continue;
    type.hold(object, static_cast<uint32_t>(i));
    return part.type->load(*content, object, misfit);
  }
  return misfit.expected("one of " + names, tree);
}

bool load_list(const Tree& tree, RawItems& all, Misfit& misfit, const MadeType& type) {
  if (!is_sequence(tree)) return misfit.expected("a list", tree);
  for (size_t i = 0; i < tree.items.size(); ++i) {
    if (!type.parts()[0].type->load(tree.items[i], type.insert(all, all.size), misfit)) {
      return misfit.in_item(std::to_string(i));
    }
  }
  return true;
}

// Puts the last item, which is new, where it belongs. False: its key is there already.
bool settle_last(RawItems& all, const MadeType& type) {
  RawItems others = all;
  others.size = all.size - 1;
  const MadeType::Found found = type.find(others, type.item(all, others.size));
  if (found.there) return false;
  if (found.index == others.size) return true;
  char* const to = type.open(all, found.index);
  move_parts(type.parts(), to, type.item(all, all.size - 1));
  type.erase(all, all.size - 1);
  return true;
}

bool load_set(const Tree& tree, RawItems& all, Misfit& misfit, const MadeType& type) {
  if (!is_sequence(tree)) return misfit.expected("a list", tree);
  for (size_t i = 0; i < tree.items.size(); ++i) {
    if (!type.parts()[0].type->load(tree.items[i], type.insert(all, all.size), misfit)) {
      return misfit.in_item(std::to_string(i));
    }
    if (!settle_last(all, type)) {
      return misfit.say(show(tree.items[i]) + " occurs twice in a set");
    }
  }
  return true;
}

bool load_map(const Tree& tree, RawItems& all, Misfit& misfit, const MadeType& type) {
  std::vector<std::pair<Tree, const Tree*>> entries;
  if (!map_entries(tree, entries, misfit)) return false;
  for (const auto& [key, mapped] : entries) {
    char* const item = type.insert(all, all.size);
    if (!type.parts()[0].type->load(key, item, misfit) ||
        !type.parts()[1].type->load(*mapped, item + type.parts()[1].offset, misfit)) {
      return misfit.in_item(show(key));
    }
    if (!settle_last(all, type)) return misfit.say("the key " + show(key) + " occurs twice");
  }
  return true;
}

}  // namespace

bool MadeOperations::load(const Tree& tree, void* object, Misfit& misfit, const Type& t) {
  const MadeType& type = MadeType::of(t);
  switch (type.shape()) {
    case Shape::kEnum:
      return load_enumerator(tree, object, misfit, type);
    case Shape::kRecord:
      return load_record(tree, object, misfit, type);
    case Shape::kOptional:
      return load_optional(tree, object, misfit, type);
    case Shape::kVariant:
      return load_variant(tree, object, misfit, type);
    default:
      break;
  }
  RawItems& all = items(object);
  type.clear(all);
  return whole(type.shape() == Shape::kSet   ? load_set(tree, all, misfit, type)
               : type.shape() == Shape::kMap ? load_map(tree, all, misfit, type)
                                             : load_list(tree, all, misfit, type),
               all, type);
}

}  // namespace ordeal::detail
