// Whatever the bytes, reading a configuration file of TLA+ ends in a configuration or in an error
// that says where.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "language/tla/syntax/config.h"

namespace {

using ordeal::tla::ConfigValue;
using ordeal::tla::Sources;

void check(const Sources& sources, const ConfigValue& value) {
  sources.excerpt(value.place);
  if (value.kind != ConfigValue::Kind::kSet && !value.elements.empty()) std::abort();
  for (const ConfigValue& element : value.elements) check(sources, element);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Sources sources;
  const uint32_t file =
      sources.add("fuzz.cfg", std::string(reinterpret_cast<const char*>(data), size));
  const auto config = ordeal::tla::parse_config(sources, file);
  if (!config) {
    if (!config.error().message.starts_with("fuzz.cfg")) std::abort();
    return 0;
  }
  if (config->specification.size() > 1) std::abort();
  for (const auto& constant : config->constants) {
    if (constant.name.empty() || constant.is_override == constant.other.empty()) std::abort();
    if (!constant.is_override) check(sources, constant.value);
    for (const ConfigValue& argument : constant.arguments) check(sources, argument);
  }
  for (const auto* names : {&config->invariants, &config->properties, &config->constraints}) {
    for (const auto& name : *names) {
      if (name.name.empty()) std::abort();
    }
  }
  return 0;
}
