#include "language/tla/mapper/term_maker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "language/tla/eval/nodes.h"

namespace ordeal::tla {
namespace {

// The names after `event`, in order; none: it is something else.
std::optional<std::vector<std::string>> path_in(const Expr& expr) {
  if (expr.kind == ExprKind::kApply) {
    const bool is_event = expr.text == "event" && expr.children.empty() &&
                          expr.qualifiers.empty() && expr.selectors.empty();
    return is_event ? std::make_optional<std::vector<std::string>>() : std::nullopt;
  }
  const bool is_index = expr.kind == ExprKind::kFunctionApply && expr.children.size() == 2 &&
                        expr.children[1]->kind == ExprKind::kString;
  if (expr.kind != ExprKind::kField && !is_index) return std::nullopt;
  auto out = path_in(*expr.children[0]);
  if (out) out->push_back(is_index ? expr.children[1]->text : expr.text);
  return out;
}

std::string name_of_field(const std::vector<std::string>& path) {
  return path.empty() ? "event" : "event." + join(path, ".");
}

}  // namespace

std::string TermMaker::only(size_t begin, size_t end) const {
  std::string out = text_.substr(0, end);
  for (size_t i = 0; i < begin; ++i) {
    if (out[i] != '\n' && out[i] != '\t') out[i] = ' ';
  }
  return out;
}

// What each field is called from here on is its path, which is no name that anybody can write.
void TermMaker::rewrite(ExprRef& expr) {
  if (expr == nullptr) return;
  const auto path = path_in(*expr);
  if (!path) return rewrite_parts(*expr);
  const uint32_t number = mapper_.field_number(*path);
  if (std::find(used_.begin(), used_.end(), number) == used_.end()) used_.push_back(number);
  auto name = std::make_unique<Expr>();
  name->kind = ExprKind::kApply;
  name->place = expr->place;
  name->name_place = expr->place;
  name->text = name_of_field(*path);
  expr = std::move(name);
}

void TermMaker::rewrite_parts(Expr& expr) {
  for (ExprRef& child : expr.children) rewrite(child);
  for (Bound& bound : expr.bounds) rewrite(bound.set);
  for (ExceptUpdate& update : expr.updates) {
    for (ExceptStep& step : update.path) {
      for (ExprRef& index : step.indices) rewrite(index);
    }
    rewrite(update.value);
  }
  for (Qualifier& qualifier : expr.qualifiers) {
    for (ExprRef& argument : qualifier.arguments) rewrite(argument);
  }
  for (Unit& unit : expr.units) {
    for (Bound& bound : unit.bounds) rewrite(bound.set);
    rewrite(unit.body);
  }
}

void TermMaker::find_texts(const Expr& expr) {
  if (expr.kind == ExprKind::kConjunction) {
    for (const ExprRef& child : expr.children) find_texts(*child);
    return;
  }
  const bool is_equation =
      expr.kind == ExprKind::kApply && expr.text == "=" && expr.children.size() == 2;
  if (!is_equation || expr.children[1]->kind != ExprKind::kString) return;
  if (const auto path = path_in(*expr.children[0])) {
    texts_.emplace_back(mapper_.field_number(*path), expr.children[1]->text);
  }
}

// [event.a \in {0}, x \in {0} |-> body]: so they have slots, and are nothing that could be known
// before.
ExprRef TermMaker::bind_names(ExprRef body, const std::string& each) {
  auto out = std::make_unique<Expr>();
  out->kind = ExprKind::kFunction;
  out->place = body->place;
  out->name_place = body->place;
  out->height = body->height + 2;
  std::vector<std::string> names;
  for (const uint32_t number : used_) names.push_back(name_of_field(mapper_.fields_[number]));
  if (!each.empty()) names.push_back(each);
  for (std::string& name : names) {
    Bound bound;
    bound.names.push_back(std::move(name));
    bound.places.push_back(body->place);
    bound.set = std::make_unique<Expr>();
    bound.set->kind = ExprKind::kSet;
    bound.set->place = body->place;
    bound.set->height = 2;
    auto zero = std::make_unique<Expr>();
    zero->kind = ExprKind::kNumber;
    zero->text = "0";
    zero->place = body->place;
    bound.set->children.push_back(std::move(zero));
    out->bounds.push_back(std::move(bound));
  }
  out->children.push_back(std::move(body));
  return out;
}

std::string on_one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!is_space) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

Result<Term> TermMaker::make(size_t begin, size_t end, const std::string& each) {
  used_.clear();
  texts_.clear();
  Result<ExprRef> parsed = spec_.read_expression(path_, only(begin, end));
  if (!parsed) return parsed.error();
  Term out;
  out.text = on_one_line(std::string_view(text_).substr(begin, end - begin));
  if (const auto path = path_in(**parsed)) {
    out.plain = static_cast<int>(mapper_.field_number(*path));
  }
  find_texts(**parsed);
  rewrite(*parsed);
  const bool binds = !used_.empty() || !each.empty();
  ExprRef whole = binds ? bind_names(*std::move(parsed), each) : *std::move(parsed);
  auto compiled = spec_.expression(std::move(whole));
  if (!compiled) return compiled.error();
  out.expression = *std::move(compiled);
  out.node = out.expression->closed.node.get();
  if (binds) {
    const auto* const function = dynamic_cast<const FunctionNode*>(out.node);
    if (function == nullptr) return Error{path_ + ": " + out.text + " cannot be evaluated"};
    out.node = function->body.get();
    for (size_t i = 0; i < function->bounds.size(); ++i) {
      const uint32_t slot = function->bounds[i].slots[0];
      if (i < used_.size()) {
        out.fields.emplace_back(slot, used_[i]);
      } else {
        out.each_slot = static_cast<int>(slot);
      }
    }
  }
  if (out.node->level > Level::kState) {
    return Error{fmt::format("{}: {} is about more than one state", path_, out.text)};
  }
  out.about_states = out.node->level == Level::kState;
  return out;
}

}  // namespace ordeal::tla
