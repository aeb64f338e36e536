#include "tests/oracle/tla/naive_value.h"

#include <utility>

namespace ordeal::oracle::naive {

using Kind = Val::Kind;

bool Less::operator()(const Val& a, const Val& b) const { return compare(a, b) < 0; }

Val Val::integer(Integer number) {
  Val out;
  out.kind = Kind::kInteger;
  out.number = std::move(number);
  return out;
}

Val Val::boolean(bool truth) {
  Val out;
  out.truth = truth;
  return out;
}

Val Val::string(std::string text) {
  Val out;
  out.kind = Kind::kString;
  out.text = std::move(text);
  return out;
}

Val Val::model(std::string text) {
  Val out = string(std::move(text));
  out.kind = Kind::kModel;
  return out;
}

Val Val::of(Set set) {
  Val out;
  out.kind = Kind::kSet;
  out.set = std::make_shared<const Set>(std::move(set));
  return out;
}

Val Val::of(Function function) {
  Val out;
  out.kind = Kind::kFunction;
  out.function = std::make_shared<const Function>(std::move(function));
  return out;
}

Val Val::sequence(const std::vector<Val>& items) {
  Function function;
  for (size_t i = 0; i < items.size(); ++i) function.emplace(integer(Integer(i + 1)), items[i]);
  return of(std::move(function));
}

Val Val::endless(std::function<bool(const Val&)> has) {
  Val out;
  out.kind = Kind::kEndlessSet;
  out.has = std::move(has);
  return out;
}

namespace {

int sign(bool less) { return less ? -1 : 1; }

void require_same_kind(const Val& a, const Val& b) {
  if (a.is(Kind::kEndlessSet) || b.is(Kind::kEndlessSet) || a.is(Kind::kEndlessFunction) ||
      b.is(Kind::kEndlessFunction)) {
    throw TooMuch{};  // the rules are silent
  }
  if (a.kind != b.kind) throw NoValue{text_of(a) + " and " + text_of(b) + " cannot be compared"};
}

int compare_functions(const Function& a, const Function& b) {
  if (a.size() != b.size()) return sign(a.size() < b.size());
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
    if (const int order = compare(i->first, j->first); order != 0) return order;
  }
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
    if (const int order = compare(i->second, j->second); order != 0) return order;
  }
  return 0;
}

}  // namespace

int compare(const Val& a, const Val& b) {
  if (a.is(Kind::kModel) && b.is(Kind::kModel)) return a.text.compare(b.text);
  if (a.is(Kind::kModel)) return -1;
  if (b.is(Kind::kModel)) return 1;
  require_same_kind(a, b);
  switch (a.kind) {
    case Kind::kInteger:
      return a.number == b.number ? 0 : sign(a.number < b.number);
    case Kind::kBoolean:
      return int{a.truth} - int{b.truth};
    case Kind::kString:
      return a.text.compare(b.text);
    case Kind::kSet: {
      if (a.set->size() != b.set->size()) return sign(a.set->size() < b.set->size());
      for (auto i = a.set->begin(), j = b.set->begin(); i != a.set->end(); ++i, ++j) {
        if (const int order = compare(*i, *j); order != 0) return order;
      }
      return 0;
    }
    default:
      return compare_functions(*a.function, *b.function);
  }
}

bool equal(const Val& a, const Val& b) { return compare(a, b) == 0; }

bool is_sequence(const Val& value, std::vector<Val>* items) {
  if (!value.is(Kind::kFunction)) return false;
  Integer next = 1;
  for (const auto& [key, item] : *value.function) {
    if (!key.is(Kind::kInteger) || key.number != next) return false;
    ++next;
    if (items != nullptr) items->push_back(item);
  }
  return true;
}

std::string text_of(const Val& value) {
  const auto list = [](const auto& items, const auto& one) {
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "" : ", ") + one(item);
    return out;
  };
  switch (value.kind) {
    case Kind::kInteger:
      return value.number < 0 ? "(" + value.number.str() + ")" : value.number.str();
    case Kind::kBoolean:
      return value.truth ? "TRUE" : "FALSE";
    case Kind::kString:
      return '"' + value.text + '"';
    case Kind::kModel:
      return value.text;
    case Kind::kSet:
      return "{" + list(*value.set, text_of) + "}";
    case Kind::kFunction: {
      std::vector<Val> items;
      if (is_sequence(value, &items)) return "<<" + list(items, text_of) + ">>";
      std::string out;
      for (const auto& [key, item] : *value.function) {
        out += (out.empty() ? "(" : " @@ ") + text_of(key) + " :> " + text_of(item);
      }
      return out + ")";
    }
    default:
      return "(endless)";
  }
}

Val from_engine(ordeal::tla::Value value) {
  using ordeal::tla::Object;
  using ordeal::tla::ObjectKind;
  if (value.is_bool()) return Val::boolean(value.truth());
  if (value.is_integer()) return Val::integer(ordeal::tla::big(value));
  if (value.is_string()) return Val::string(ordeal::tla::atom_text(value.atom()));
  if (value.is_model()) return Val::model(ordeal::tla::atom_text(value.atom()));
  if (!value.is_object()) throw NoValue{"no value at all"};
  const Object& object = *value.object();
  if (object.kind == ObjectKind::kSet) {
    Set set;
    for (const ordeal::tla::Value item : object.items()) {
      if (!set.insert(from_engine(item)).second) throw NoValue{"an element that comes twice"};
    }
    return Val::of(std::move(set));
  }
  if (object.kind != ObjectKind::kTuple && object.kind != ObjectKind::kFunction) {
    throw NoValue{"not in normal form"};
  }
  Function function;
  for (uint32_t i = 0; i < object.size; ++i) {
    const Val key = object.kind == ObjectKind::kTuple ? Val::integer(Integer(i + 1))
                                                      : from_engine(object.keys->item(i));
    if (!function.emplace(key, from_engine(object.item(i))).second) {
      throw NoValue{"an argument that comes twice"};
    }
  }
  return Val::of(std::move(function));
}

ordeal::tla::Value to_engine(ordeal::tla::Heap& heap, const Val& value) {
  namespace tla = ordeal::tla;
  switch (value.kind) {
    case Kind::kInteger:
      return tla::integer(heap, value.number);
    case Kind::kBoolean:
      return tla::Value::boolean(value.truth);
    case Kind::kString:
      return tla::string_value(value.text);
    case Kind::kModel:
      return tla::model_value(value.text);
    case Kind::kSet: {
      std::vector<tla::Value> items;
      for (const Val& item : *value.set) items.push_back(to_engine(heap, item));
      return tla::make_set(heap, items);
    }
    case Kind::kFunction: {
      std::vector<tla::Value> keys, items;
      for (const auto& [key, item] : *value.function) {
        keys.push_back(to_engine(heap, key));
        items.push_back(to_engine(heap, item));
      }
      if (is_sequence(value)) return tla::make_tuple(heap, items);
      return tla::make_function(heap, tla::make_set(heap, keys).object(), items);
    }
    default:
      throw NoValue{"endless"};
  }
}

}  // namespace ordeal::oracle::naive
