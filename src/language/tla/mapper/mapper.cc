#include "language/tla/mapper/mapper.h"

#include <algorithm>

#include "language/tla/mapper/mapper_parser.h"

namespace ordeal::tla {

Mapper::Mapper(Follower& model) {
  models_.emplace("null", model_value("null"));
  for (const std::string& name : model.specification().model_values()) {
    models_.emplace(name, model_value(name));
  }
}

uint32_t Mapper::field_number(const std::vector<std::string>& path) {
  const auto known = std::find(fields_.begin(), fields_.end(), path);
  if (known != fields_.end()) return static_cast<uint32_t>(known - fields_.begin());
  fields_.push_back(path);
  return static_cast<uint32_t>(fields_.size() - 1);
}

Result<std::unique_ptr<Mapper>> Mapper::parse(Follower& model, const std::string& text,
                                              const std::string& path) {
  std::unique_ptr<Mapper> out(new Mapper(model));
  model.specification().name_value("null", model_value("null"));
  // What an event does not have is null. Where the specification has its own ??, it is that.
  const auto fallback = model.specification().define("a ?? b == IF a = null THEN b ELSE a");
  if (!fallback) return fallback.error();
  MapperParser parser(model, *out, text, path);
  if (Result<void> parsed = parser.parse(); !parsed) return parsed.error();
  return out;
}

std::unique_ptr<Mapper> Mapper::by_names(Follower& model) {
  std::unique_ptr<Mapper> out(new Mapper(model));
  out->otherwise_ = Otherwise::kByName;
  return out;
}

}  // namespace ordeal::tla
