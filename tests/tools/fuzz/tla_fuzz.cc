// Whatever the bytes, reading a module, an expression or definitions ends in a tree or in an error
// that says where; places lie within the text, and trees are no higher than is promised.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "language/tla/syntax/parse.h"

namespace {

using ordeal::tla::Expr;
using ordeal::tla::ExprRef;
using ordeal::tla::Place;
using ordeal::tla::Sources;
using ordeal::tla::Unit;

void require(bool is) {
  if (!is) std::abort();
}

void check(const Sources& sources, const Place& place) {
  require(place.line >= 1 && place.column >= 1);
  require(place.end_line >= place.line);
  sources.excerpt(place);
}

void check(const Sources& sources, const Expr& expr);

void check(const Sources& sources, const Unit& unit) {
  check(sources, unit.place);
  if (unit.body) check(sources, *unit.body);
  for (const auto& bound : unit.bounds) {
    if (bound.set) check(sources, *bound.set);
  }
  for (const auto& one : unit.substitutions) check(sources, *one.value);
  if (unit.inner) {
    for (const Unit& inner : unit.inner->units) check(sources, inner);
  }
}

void check(const Sources& sources, const Expr& expr) {
  constexpr uint32_t kHighest = 1000;
  require(expr.height <= kHighest);
  check(sources, expr.place);
  for (const ExprRef& child : expr.children) {
    require(child && child->height < expr.height);
    check(sources, *child);
  }
  for (const auto& bound : expr.bounds) {
    if (bound.set) check(sources, *bound.set);
  }
  for (const auto& update : expr.updates) check(sources, *update.value);
  for (const Unit& unit : expr.units) check(sources, unit);
}

template <class R>
bool told(const R& result) {
  if (!result) require(result.error().message.starts_with("fuzz.tla"));
  return result.ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Sources sources;
  const uint32_t file =
      sources.add("fuzz.tla", std::string(reinterpret_cast<const char*>(data), size));
  for (uint32_t number = 0; number < 3; ++number) {
    const auto module = ordeal::tla::parse_module(sources, file, number);
    if (!told(module)) break;
    for (const Unit& unit : module->units) check(sources, unit);
  }
  if (const auto expression = ordeal::tla::parse_expression(sources, file); told(expression)) {
    check(sources, **expression);
  }
  if (const auto units = ordeal::tla::parse_definitions(sources, file); told(units)) {
    for (const Unit& unit : *units) check(sources, unit);
  }
  return 0;
}
