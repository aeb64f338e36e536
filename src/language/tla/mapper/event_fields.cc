// Events as values.
#include <algorithm>
#include <set>
#include <vector>

#include "base/text.h"
#include "language/tla/eval/nodes.h"
#include "language/tla/mapper/mapper.h"

namespace ordeal::tla {
namespace {

constexpr size_t kDeepest = 200;

// What a line looks like before it is read; what stands in texts does not count.
struct Shape {
  bool too_deep = false;
  size_t keys = 0;  // each has a colon behind it
};

Shape shape_of(std::string_view line) {
  Shape out;
  size_t depth = 0;
  bool in_text = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_text) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_text = false;
      }
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kDeepest) {
        out.too_deep = true;
        return out;
      }
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ':') {
      ++out.keys;
    }
  }
  return out;
}

size_t keys_in(const Event& json) {
  if (!json.is_structured()) return 0;
  size_t out = json.is_object() ? json.size() : 0;
  for (const Event& inner : json) out += keys_in(inner);
  return out;
}

// The first key that an object has twice, where it is known that there is one.
std::string key_twice(std::string_view line) {
  std::vector<std::set<std::string>> open;
  std::string out;
  const auto look = [&](int, Event::parse_event_t what, Event& value) {
    if (what == Event::parse_event_t::object_start) open.emplace_back();
    if (what == Event::parse_event_t::object_end) open.pop_back();
    if (what != Event::parse_event_t::key || !out.empty()) return true;
    const auto key = value.get<std::string>();
    if (!open.back().insert(key).second) out = key;
    return true;
  };
  [[maybe_unused]] const Event read = Event::parse(line, look);
  return out;
}

bool has_lists(const Event& json) {
  return json.is_array() || (json.is_object() && std::any_of(json.begin(), json.end(), has_lists));
}

// {"$set": …} and the like: what it says, or null.
const Event* marked(const Event& json, const char* mark) {
  if (json.size() != 1) return nullptr;
  const auto at = json.begin();
  return at.key() == mark ? &at.value() : nullptr;
}

}  // namespace

Result<Event> parse_event(std::string_view line) {
  const Shape shape = shape_of(line);
  if (shape.too_deep) {
    return Error{"it is nested more than " + std::to_string(kDeepest) + " deep"};
  }
  try {
    Event out = Event::parse(line);
    if (!out.is_object()) return Error{"it is no object, which begins with '{'"};
    // Readers of JSON differ in which of two they take.
    if (keys_in(out) != shape.keys) {
      return Error{"the field '" + one_line(cut_to(key_twice(line), 40)) + "' is there twice"};
    }
    return out;
  } catch (const Event::parse_error& error) {
    std::string what = error.what();
    if (const size_t at = what.find("column "); at != what.npos) what = what.substr(at);
    return Error{cut_to(one_line(what), 200)};
  } catch (const Event::exception& error) {
    return Error{cut_to(one_line(error.what()), 200)};
  }
}

Value Mapper::value_of(Heap& heap, const Event& json, bool sets) const {
  if (!values_.empty() && json.is_primitive()) {
    const auto named = values_.find(json.dump());
    if (named != values_.end()) return named->second;
  }
  switch (json.type()) {
    case Event::value_t::null:
      return models_.at("null");
    case Event::value_t::boolean:
      return Value::boolean(json.get<bool>());
    case Event::value_t::number_integer:
      return integer(heap, json.get<int64_t>());
    case Event::value_t::number_unsigned:
      return integer(heap, BigInt(json.get<uint64_t>()));
    case Event::value_t::number_float: {
      const auto number = json.get<double>();
      constexpr double kMost = 9007199254740992.0;  // whole numbers are exact up to here
      if (!(number >= -kMost && number <= kMost) || std::floor(number) != number) return {};
      return integer(heap, static_cast<int64_t>(number));
    }
    case Event::value_t::string: {
      const auto& text = json.get_ref<const std::string&>();
      const auto model = models_.find(text);
      return model != models_.end() ? model->second : string_value(text);
    }
    case Event::value_t::array:
    case Event::value_t::object:
      break;
    default:
      return {};
  }
  if (json.is_object()) {
    if (const Event* text = marked(json, "$enum")) return value_of(heap, *text, sets);
    if (const Event* list = marked(json, "$tuple")) return value_of(heap, *list, false);
    if (const Event* list = marked(json, "$set")) return value_of(heap, *list, true);
  }
  const Event* const pairs = json.is_object() ? marked(json, "$map") : nullptr;
  std::vector<Value> items, keys;
  std::vector<std::pair<Value, Value>> entries;
  for (const auto& [name, item] : (pairs == nullptr ? json : *pairs).items()) {
    if (pairs != nullptr) {
      if (!item.is_array() || item.size() != 2) return {};
      const Value key = value_of(heap, item[0], sets), value = value_of(heap, item[1], sets);
      if (!key.defined() || !value.defined()) return {};
      entries.emplace_back(deep_normal(heap, key), deep_normal(heap, value));
      continue;
    }
    const Value value = value_of(heap, item, sets);
    if (!value.defined()) return {};
    items.push_back(value);
    if (!json.is_object()) continue;
    const bool is_type = name == "$type" && !json.contains("type");
    keys.push_back(string_value(is_type ? "type" : name));
  }
  if (pairs != nullptr) {
    std::sort(entries.begin(), entries.end(),
              [&](const auto& a, const auto& b) { return compare(heap, a.first, b.first) < 0; });
    for (const auto& [key, value] : entries) {
      keys.push_back(key);
      items.push_back(value);
    }
    const Value domain = make_set(heap, keys);
    if (normal_set(heap, domain)->size != items.size()) return {};  // a key that comes twice
    return deep_normal(heap, make_function(heap, normal_set(heap, domain), items));
  }
  if (json.is_object()) return deep_normal(heap, make_record(heap, keys, items));
  return deep_normal(
      heap, sets ? make_set(heap, items) : make_tuple(heap, std::span<const Value>(items)));
}

std::vector<Value> forms_of(const Mapper& mapper, Heap& heap, const Event& json) {
  std::vector<Value> out;
  for (const bool sets : {false, true}) {
    if (sets && !has_lists(json)) break;
    try {
      const Value value = mapper.value_of(heap, json, sets);
      if (value.defined()) out.push_back(value);
    } catch (const EvalError&) {
      continue;  // a set of things that cannot be compared
    }
  }
  return out;
}

EventFields::EventFields(const Mapper& mapper) : mapper_(mapper), known_(mapper.fields().size()) {}

void EventFields::read(const Event& event) {
  event_ = &event;
  heap_.clear();
  for (Known& known : known_) {
    known.looked = known.read = false;
    known.forms.clear();
  }
}

const Event* EventFields::field(uint32_t number) {
  Known& known = known_[number];
  if (known.looked) return known.json;
  known.looked = true;
  known.json = event_;
  for (const std::string& name : mapper_.fields()[number]) {
    if (!known.json->is_object()) {
      known.json = nullptr;
      break;
    }
    auto at = known.json->find(name);
    // Logs of this engine call the type of a value so.
    if (at == known.json->end() && name == "type") at = known.json->find("$type");
    known.json = at == known.json->end() ? nullptr : &*at;
    if (known.json == nullptr) break;
  }
  return known.json;
}

const std::vector<Value>& EventFields::forms(uint32_t number) {
  Known& known = known_[number];
  if (known.read) return known.forms;
  known.read = true;
  const Event* const json = field(number);
  if (json == nullptr) return known.forms;
  known.forms = forms_of(mapper_, heap_, *json);
  return known.forms;
}

bool EventFields::has_all(const Term& term) {
  return std::all_of(term.fields.begin(), term.fields.end(),
                     [&](const auto& one) { return field(one.second) != nullptr; });
}

std::optional<std::string> EventFields::missing(const Term& term) {
  for (const auto& [slot, number] : term.fields) {
    if (field(number) == nullptr) return "event." + join(mapper_.fields()[number], ".");
  }
  return std::nullopt;
}

Value EventFields::evaluate(const Term& term, Machine& m, Value each) {
  Frame* const frame = m.frame(nullptr, term.expression->closed.layout->slots);
  for (const auto& [slot, number] : term.fields) {
    const std::vector<Value>& values = forms(number);
    static const Value kNull = model_value("null");
    frame->slot(slot) = values.empty() ? kNull : values[0];
  }
  if (term.each_slot >= 0) frame->slot(static_cast<uint32_t>(term.each_slot)) = each;
  return term.node->eval(m, frame);
}

}  // namespace ordeal::tla
