// Making types at run time: each once, whoever asks for it.
#include "ordeal/dynamic.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "value/made_type.h"
#include "value/type_list.h"

namespace ordeal::dynamic {
namespace {

using detail::MadeType;
using detail::Shape;

constexpr size_t kMostBytes = size_t{1} << 20;  // of a value, without what it owns
constexpr int kMostNested = 100;
constexpr size_t kMostParts = 10'000;

// Types outlive everything: values in static variables may be destroyed at any time.
class Registry {
 public:
  static Registry& get() {
    static Registry& registry = *new Registry();
    return registry;
  }

  const Type* made(Shape shape, const std::string& name, std::vector<MadeType::Part> parts) {
    std::string key = std::to_string(static_cast<int>(shape)) + " " + name;
    for (const MadeType::Part& part : parts) {
      key += " " + part.name + ":" + std::to_string(reinterpret_cast<uintptr_t>(part.type));
    }
    const std::lock_guard lock(mutex_);
    std::unique_ptr<MadeType>& type = types_[key];
    if (type == nullptr) {
      type = std::make_unique<MadeType>(shape, name, std::move(parts));
      list_made_type(*type);
    }
    return type.get();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<MadeType>> types_;
};

bool is_word(std::string_view name) {
  return !name.empty() && (name[0] < '0' || name[0] > '9') &&
         std::all_of(name.begin(), name.end(), detail::is_word);
}

// "raft::Vote", "Signed<raft::Vote, 3>".
bool is_type_name(std::string_view name) {
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<') ++depth;
    if (c == '>' && --depth < 0) return false;
    const bool inside = depth > 0 && (c == ',' || c == ' ');
    if (c == ':' && (++i == name.size() || name[i] != ':')) return false;
    if (!detail::is_word(c) && c != ':' && c != '<' && c != '>' && !inside) return false;
  }
  return depth == 0 && is_word(detail::short_name(name));
}

Result<void> check_type_name(const char* what, const std::string& name) {
  if (is_type_name(name)) return {};
  return Error{"\"" + name + "\" is no name for a " + what +
               ": a name is made of letters, digits and _, with scopes before it if it has any, as "
               "in raft::Vote"};
}

// An Error where two parts have one name, or one has none.
Result<void> check_names(const std::string& what, const char* part,
                         const std::vector<std::string>& names) {
  if (names.size() > kMostParts) {
    return Error{what + " has " + std::to_string(names.size()) + " " + part + "s; at most " +
                 std::to_string(kMostParts) + " are supported"};
  }
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!is_word(name)) {
      return Error{what + ": \"" + name + "\" is no name for a" +
                   (std::string(part) == "enumerator" ? "n " : " ") + part +
                   ": a name is made of letters, digits and _, and begins with no digit"};
    }
    if (!seen.insert(name).second) return Error{what + " has two " + part + "s named " + name};
  }
  return {};
}

bool nests_too_deeply(const Type& type) {
  return type.is_made() && MadeType::of(type).depth() >= kMostNested;
}

Error no_type(const std::string& what) {
  return Error{what +
               " has no type: it is null, as what is made of null is, or what nests more than " +
               std::to_string(kMostNested) + " deep"};
}

// What is too large to be laid out is not.
Result<const Type*> made_within_bounds(Shape shape, const std::string& what,
                                       const std::string& name, std::vector<MadeType::Part> parts) {
  size_t bytes = 0;
  for (const MadeType::Part& part : parts) {
    bytes += part.type->size() + part.type->align();
    if (nests_too_deeply(*part.type)) {
      return Error{what + ": types are nested more than " + std::to_string(kMostNested) + " deep"};
    }
  }
  if (bytes > kMostBytes) {
    return Error{what + " takes " + std::to_string(bytes) + " bytes; at most " +
                 std::to_string(kMostBytes) + " are supported"};
  }
  return Registry::get().made(shape, name, std::move(parts));
}

const Type* made_container(Shape shape, const char* name, const std::vector<const Type*>& inside) {
  std::string spelled;
  std::vector<MadeType::Part> parts;
  for (const Type* type : inside) {
    if (type == nullptr || nests_too_deeply(*type)) return nullptr;
    spelled += (spelled.empty() ? "" : ", ") + type->full_name();
    parts.push_back({"", type});
  }
  return Registry::get().made(shape, std::string(name) + "<" + spelled + ">", std::move(parts));
}

}  // namespace

Result<const Type*> record(const std::string& name, std::vector<Field> fields) {
  if (const auto fine = check_type_name("record", name); !fine) return fine.error();
  const std::string what = "the record " + name;
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.name);
  if (const auto fine = check_names(what, "field", names); !fine) return fine.error();
  std::vector<MadeType::Part> parts;
  for (Field& field : fields) {
    if (field.type == nullptr) return no_type(what + ": its field " + field.name);
    parts.push_back({std::move(field.name), field.type});
  }
  return made_within_bounds(Shape::kRecord, what, name, std::move(parts));
}

Result<const Type*> enumeration(const std::string& name, std::vector<std::string> enumerators) {
  if (const auto fine = check_type_name("enumeration", name); !fine) return fine.error();
  const std::string what = "the enumeration " + name;
  if (enumerators.empty()) return Error{what + " has no enumerators"};
  if (const auto fine = check_names(what, "enumerator", enumerators); !fine) return fine.error();
  std::vector<MadeType::Part> parts;
  for (std::string& one : enumerators) parts.push_back({std::move(one), nullptr});
  return Registry::get().made(Shape::kEnum, name, std::move(parts));
}

Result<const Type*> variant(const std::string& name, const std::vector<const Type*>& alternatives) {
  if (const auto fine = check_type_name("variant", name); !fine) return fine.error();
  const std::string what = "the variant " + name;
  if (alternatives.empty()) return Error{what + " has no alternatives"};
  if (alternatives.size() > kMostParts) {
    return Error{what + " has " + std::to_string(alternatives.size()) + " alternatives; at most " +
                 std::to_string(kMostParts) + " are supported"};
  }
  std::vector<MadeType::Part> parts;
  for (const Type* type : alternatives) {
    if (type == nullptr) {
      return no_type(what + ": its alternative number " + std::to_string(parts.size() + 1));
    }
    parts.push_back({"", type});
  }
  return made_within_bounds(Shape::kVariant, what, name, std::move(parts));
}

const Type* list_of(const Type* element) { return made_container(Shape::kList, "list", {element}); }
const Type* set_of(const Type* element) { return made_container(Shape::kSet, "set", {element}); }
const Type* map_of(const Type* key, const Type* mapped) {
  return made_container(Shape::kMap, "map", {key, mapped});
}
const Type* optional_of(const Type* content) {
  return made_container(Shape::kOptional, "optional", {content});
}

Result<Place> place(const Type* record, std::string_view field) {
  Place out;
  out.record_ = out.type_ = record;
  for (bool is_last = false; !is_last;) {
    const size_t dot = field.find('.');
    const std::string name(field.substr(0, dot));
    is_last = dot == std::string_view::npos;
    if (!is_last) field.remove_prefix(dot + 1);
    if (out.type_ == nullptr || !out.type_->is_made() || out.type_->shape() != Shape::kRecord) {
      return Error{"what has a field \"" + name + "\" must be a record of run time, not " +
                   (out.type_ == nullptr ? "null" : out.type_->full_name())};
    }
    const MadeType::Part* part = MadeType::of(*out.type_).find(name);
    if (part == nullptr) return Error{out.type_->full_name() + " has no field \"" + name + "\""};
    out.type_ = part->type;
    out.offset_ += part->offset;
  }
  return out;
}

}  // namespace ordeal::dynamic
