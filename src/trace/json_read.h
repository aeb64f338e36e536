// Reading JSON that may be anything: what is wrong comes back as an Error that says where.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "ordeal/result.h"
#include "ordeal/trace.h"

namespace ordeal::trace {

// Refuses what is nested too deep or has too many fields before anything is built from it.
// `what`: "a trace".
Result<nlohmann::ordered_json> parse_json(std::string_view text, const std::string& what);

// As trace_from_json(), of what parse_json() gave.
Result<Trace> trace_of(const nlohmann::ordered_json& json);

// A place in the file. The first mistake is kept; what is read after it are defaults, which nobody
// sees.
class Place {
 public:
  // `root`: what the outermost value is called.
  Place(const nlohmann::ordered_json& json, std::string path, std::optional<Error>& error,
        const char* root = "the file")
      : json_(&json), path_(std::move(path)), error_(&error), root_(root) {}

  Place operator[](const char* name) const {
    const std::string path = path_.empty() ? name : path_ + "." + name;
    if (!json_->is_object()) {
      fail("an object");
      return {kNone, path, *error_};
    }
    const auto at = json_->find(name);
    return {at == json_->end() ? kNone : *at, path, *error_};
  }
  // A field may be left out; null says the same.
  bool absent() const { return json_->is_null(); }
  bool failed() const { return error_->has_value(); }
  const nlohmann::ordered_json& json() const { return *json_; }

  void fail(const std::string& expected) const;
  void refuse(const std::string& message) const;

  std::string text() const {
    const auto* text = json_->get_ptr<const std::string*>();
    if (text == nullptr) {
      fail("text");
      return "";
    }
    return *text;
  }
  std::string text_or_empty() const { return absent() ? "" : text(); }

  template <class T>
  T number(T least, T most) const {
    const std::string expected = fmt::format("a whole number from {} to {}", least, most);
    if (json_->is_number_unsigned()) {
      const auto number = json_->get<uint64_t>();
      if (number <= static_cast<uint64_t>(most) &&
          (least <= T{0} || number >= static_cast<uint64_t>(least))) {
        return static_cast<T>(number);
      }
    } else if (json_->is_number_integer()) {
      const auto number = json_->get<int64_t>();
      if (std::numeric_limits<T>::is_signed && number >= static_cast<int64_t>(least)) {
        return static_cast<T>(number);  // negative, for others are unsigned
      }
    }
    fail(expected);
    return T{};
  }
  template <class T>
  T number_or(T fallback, T least, T most) const {
    return absent() ? fallback : number<T>(least, most);
  }
  uint32_t count() const { return number_or<uint32_t>(0, 0, UINT32_MAX); }
  int node_or_none() const { return number_or<int>(-1, -1, INT32_MAX); }

  uint64_t digest() const;

  // Calls f(place, index) for each element; an absent list is empty.
  template <class F>
  void each(F f) const {
    if (absent()) return;
    if (!json_->is_array()) {
      fail("a list");
      return;
    }
    for (size_t i = 0; i < json_->size() && !failed(); ++i) {
      f(Place((*json_)[i], fmt::format("{}[{}]", path_, i), *error_), i);
    }
  }
  // Calls f(key, place) for each field; an absent object is empty.
  template <class F>
  void each_field(F f) const {
    if (absent()) return;
    if (!json_->is_object()) {
      fail("an object");
      return;
    }
    for (const auto& [key, item] : json_->items()) {
      f(key, Place(item, fmt::format("{}.{}", path_, one_line(key)), *error_));
    }
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> list;
    each([&](const Place& item, size_t) { list.push_back(item.text()); });
    return list;
  }

 private:
  std::string where() const { return path_.empty() ? root_ : path_; }

  inline static const nlohmann::ordered_json kNone = nullptr;
  const nlohmann::ordered_json* json_;
  std::string path_;
  std::optional<Error>* error_;
  const char* root_;
};

}  // namespace ordeal::trace
