// A judge of JSON by JSON schemas, for as much of the language as those of docs/reference use; it
// refuses to judge by anything else. Objects may have no fields that the schema does not name: that
// is not what a reader asks for, but what a writer must keep to.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

namespace ordeal {

class Schema {
 public:
  // `others`: what it refers to, by the names of their files.
  explicit Schema(nlohmann::json root, std::map<std::string, nlohmann::json> others = {})
      : root_(std::move(root)), others_(std::move(others)) {}

  // What is wrong, with its place; "": nothing.
  std::string problem(const nlohmann::json& json) const { return judge({root_, root_}, json, ""); }
  // The same by one of its definitions.
  std::string problem(const nlohmann::json& json, const std::string& definition) const {
    return judge({root_, root_.at("definitions").at(definition)}, json, "");
  }

 private:
  using Json = nlohmann::json;
  // A part of a schema; what it refers to by "#" lies in the same.
  struct Rule {
    const Json& root;
    const Json& schema;
  };

  static bool has_type(const std::string& type, const Json& json) {
    return (type == "object" && json.is_object()) || (type == "array" && json.is_array()) ||
           (type == "string" && json.is_string()) || (type == "boolean" && json.is_boolean()) ||
           (type == "integer" && json.is_number_integer()) ||
           (type == "number" && json.is_number()) || (type == "null" && json.is_null());
  }

  Rule referred(const Json& from, const std::string& reference) const {
    const size_t hash = std::min(reference.find('#'), reference.size());
    const Json& root = hash == 0 ? from : others_.at(reference.substr(0, hash));
    const std::string path = reference.substr(std::min(hash + 1, reference.size()));
    return {root, root.at(Json::json_pointer(path))};
  }

  std::string judge(const Rule& rule, const Json& json, const std::string& place) const {
    const Json& schema = rule.schema;
    const auto inner = [&](const Json& part) { return Rule{rule.root, part}; };
    const auto wrong = [&](const std::string& what) { return place + ": " + what; };
    static const std::set<std::string> kKnown = {"$schema",
                                                 "$id",
                                                 "title",
                                                 "description",
                                                 "tsType",
                                                 "definitions",
                                                 "type",
                                                 "const",
                                                 "enum",
                                                 "properties",
                                                 "pattern",
                                                 "required",
                                                 "items",
                                                 "anyOf",
                                                 "$ref",
                                                 "minimum",
                                                 "additionalProperties"};
    for (const auto& [word, meaning] : schema.items()) {
      if (!kKnown.contains(word)) return wrong("the schema says '" + word + "'");
    }
    if (schema.contains("$ref")) {
      return judge(referred(rule.root, schema["$ref"]), json, place);
    }
    if (schema.contains("anyOf")) {
      std::string problems;
      for (const Json& one : schema["anyOf"]) {
        const std::string found = judge(inner(one), json, place);
        if (found.empty()) return "";
        problems += (problems.empty() ? "" : ", or ") + found;
      }
      return problems;
    }
    if (schema.contains("const") && json != schema["const"]) return wrong("is another constant");
    if (schema.contains("enum")) {
      const Json& all = schema["enum"];
      if (std::find(all.begin(), all.end(), json) == all.end())
        return wrong("is none of the words");
    }
    if (schema.contains("type") && !has_type(schema["type"], json)) {
      return wrong("is no " + schema["type"].get<std::string>());
    }
    if (schema.contains("minimum") && json < schema["minimum"]) return wrong("is too small");
    if (schema.contains("pattern") &&
        !std::regex_search(json.get<std::string>(),
                           std::regex(schema["pattern"].get<std::string>()))) {
      return wrong("does not have the form");
    }
    if (json.is_array() && schema.contains("items")) {
      for (size_t i = 0; i < json.size(); ++i) {
        const std::string found =
            judge(inner(schema["items"]), json[i], fmt::format("{}[{}]", place, i));
        if (!found.empty()) return found;
      }
    }
    return json.is_object() && schema.contains("type") ? fields(rule, json, place) : "";
  }

  std::string fields(const Rule& rule, const Json& json, const std::string& place) const {
    const Json& schema = rule.schema;
    for (const Json& name : schema.value("required", Json::array())) {
      if (!json.contains(name)) return place + ": lacks " + name.get<std::string>();
    }
    const Json named = schema.value("properties", Json::object());
    for (const auto& [name, value] : json.items()) {
      const std::string path = place.empty() ? name : place + "." + name;
      if (!named.contains(name) && !schema.contains("additionalProperties")) {
        return path + ": is not in the schema";
      }
      const Json& field = named.contains(name) ? named[name] : schema["additionalProperties"];
      const std::string found = judge({rule.root, field}, value, path);
      if (!found.empty()) return found;
    }
    return "";
  }

  Json root_;
  std::map<std::string, Json> others_;
};

}  // namespace ordeal
