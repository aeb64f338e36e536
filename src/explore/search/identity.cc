#include "explore/search/identity.h"

#include <algorithm>

#include "base/hash.h"
#include "base/program.h"
#include "base/text.h"
#include "ordeal/value.h"

namespace ordeal::explore {
namespace {

constexpr const char* kSubject = "the subject";
// These follow from the rest, as long as the program is the same.
constexpr const char* kProperties = "the list of properties";
constexpr const char* kStart = "the hash of the initial states";
// A property whose body is another would not be asked again about states that were visited before.
constexpr const char* kInterpreted = "the hash of what nodes interpret";
constexpr const char* kProgram = "the hash of the program";

std::string value_of(const Identity& identity, const std::string& name) {
  for (const auto& [known, value] : identity) {
    if (known == name) return value;
  }
  return "";
}

std::string in_words(const std::string& value) { return one_line(value.empty() ? "none" : value); }

std::string text_of(const ShortForm& run) {
  std::string text;
  for (const uint32_t choice : run.choices) {
    text += (text.empty() ? "" : ".") + std::to_string(choice);
  }
  return run.initial == 0 && !text.empty() ? text : std::to_string(run.initial) + ":" + text;
}

}  // namespace

Result<Identity> identity_of(const StateSpace& space, const std::vector<StateSpace::Initial>& roots,
                             const Options& options) {
  const Result<std::string> interpreted = space.interprets();
  if (!interpreted) return interpreted.error();
  Identity out;
  out.emplace_back(kSubject, options.system);
  for (const auto& [name, value] : options.parameters) out.emplace_back("--" + name, value);
  out.emplace_back("--scenario", space.scenario());
  out.emplace_back("--strategy", options.strategy);
  out.emplace_back("--reduce", options.reduce);
  out.emplace_back("--symmetry", options.symmetry ? "on" : "off");
  out.emplace_back("--fingerprint", options.wide_fingerprints ? "128" : "64");
  out.emplace_back("--max-depth", options.max_depth == 0 ? "" : std::to_string(options.max_depth));
  out.emplace_back("--keep-going", options.keep_going ? "on" : "off");
  out.emplace_back("--guide", options.guide ? text_of(*options.guide) : "");
  std::string properties;
  for (const Property& property : space.properties()) {
    properties += (properties.empty() ? "" : "; ") + std::string(to_string(property.kind)) + " " +
                  property.name;
  }
  out.emplace_back(kProperties, properties);
  uint64_t hash = roots.size();
  for (const StateSpace::Initial& root : roots) hash = combine(hash, root.fingerprint);
  out.emplace_back(kStart, std::to_string(hash));
  out.emplace_back(kInterpreted,
                   interpreted->empty() ? "" : std::to_string(value::hash(*interpreted)));
  out.emplace_back(kProgram, program_identity());
  return out;
}

std::string difference(const Identity& there, const Identity& here) {
  std::vector<std::string> names;
  for (const Identity* identity : {&here, &there}) {
    for (const auto& [name, value] : *identity) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::string text;
  for (const std::string& name : names) {
    const std::string was = value_of(there, name);
    const std::string is = value_of(here, name);
    const bool follows = name == kProperties || name == kStart || name == kProgram;
    if (was == is || (follows && !text.empty())) continue;
    text += (text.empty() ? "" : ", ") + name + " was " + in_words(was) + " there and is " +
            in_words(is) + " here";
    if (name == kSubject) break;  // all else is about another one
  }
  return text;
}

}  // namespace ordeal::explore
