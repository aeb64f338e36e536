// The configuration file of a model: what TLC reads from SPEC.cfg.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "language/tla/syntax/ast.h"
#include "language/tla/syntax/source.h"
#include "ordeal/result.h"

namespace ordeal::tla {

// A value as configuration files can write them: 3, "a", TRUE, a model value, {…}.
struct ConfigValue {
  enum class Kind : uint8_t { kNumber, kString, kBoolean, kModelValue, kSet };
  Kind kind = Kind::kNumber;
  std::string text;  // of the first four; booleans "TRUE" and "FALSE"
  std::vector<ConfigValue> elements;
  Place place;
};

// `NAME = value`, `NAME <- Other`, `NAME <- [Module]Other`, `NAME = [Module]value`.
struct ConfigConstant {
  std::string name;
  Place place;
  bool is_override = false;            // <-
  std::string other;                   // <-: the operator that it becomes
  std::string module;                  // [Module]: only in what that module defines; else empty
  ConfigValue value;                   // =
  std::vector<ConfigValue> arguments;  // NAME(1, 2) = value
};

struct ConfigName {
  std::string name;
  Place place;
};

struct Config {
  std::vector<ConfigName> specification;  // at most one, checked by the reader
  std::vector<ConfigName> init;
  std::vector<ConfigName> next;
  std::vector<ConfigConstant> constants;
  std::vector<ConfigName> invariants;
  std::vector<ConfigName> properties;
  std::vector<ConfigName> constraints;
  std::vector<ConfigName> action_constraints;
  std::vector<ConfigName> symmetry;
  std::vector<ConfigName> view;
  std::vector<ConfigName> alias;
  std::vector<ConfigName> postcondition;
  std::vector<ConfigName> type;  // TYPE, TYPE_CONSTRAINT: of no effect, in TLC as well
  bool check_deadlock = true;
  bool says_deadlock = false;
};

Result<Config> parse_config(const Sources& sources, uint32_t file);

}  // namespace ordeal::tla
