#include "language/tla/library/files.h"

#include <filesystem>
#include <fstream>
#include <mutex>

#include "base/file.h"
#include "language/tla/syntax/parse.h"

namespace ordeal::tla {
namespace {

std::filesystem::path path_beside(const BuiltinCall& call, std::string_view name, size_t at) {
  const std::filesystem::path path(need_string(call, name, at));
  return path.is_absolute() ? path : std::filesystem::path(call.host().directory()) / path;
}

Value literal(Heap& heap, const Expr& expr);

std::vector<Value> literals(Heap& heap, const Expr& expr) {
  std::vector<Value> out;
  for (const ExprRef& child : expr.children) out.push_back(literal(heap, *child));
  return out;
}

// a :> b @@ c :> d
void add_pairs(Heap& heap, const Expr& expr, std::vector<std::pair<Value, Value>>& out) {
  if (expr.kind == ExprKind::kApply && expr.text == "@@") {
    for (const ExprRef& child : expr.children) add_pairs(heap, *child, out);
    return;
  }
  if (expr.kind != ExprKind::kApply || expr.text != ":>") fail("it has an operator in it");
  out.emplace_back(literal(heap, *expr.children[0]), literal(heap, *expr.children[1]));
}

Value literal(Heap& heap, const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNumber:
      return integer(heap, BigInt(expr.text));
    case ExprKind::kString:
      return string_value(expr.text);
    case ExprKind::kTuple:
      return make_tuple(heap, std::span<const Value>(literals(heap, expr)));
    case ExprKind::kSet: {
      std::vector<Value> items = literals(heap, expr);
      return make_set(heap, items);
    }
    case ExprKind::kRecord: {
      std::vector<Value> names;
      for (const std::string& name : expr.names) names.push_back(string_value(name));
      return make_record(heap, names, literals(heap, expr));
    }
    case ExprKind::kApply:
      break;
    default:
      fail("it is no value that is written out");
  }
  if (expr.text == "TRUE" || expr.text == "FALSE") return Value::boolean(expr.text == "TRUE");
  if (expr.text == "-.") {
    return difference(heap, Value::small(0), literal(heap, *expr.children[0]));
  }
  if (expr.children.empty()) return model_value(expr.text);
  if (expr.text == "..") {
    const std::vector<Value> ends = literals(heap, expr);
    return make_interval(heap, ends[0], ends[1]);
  }
  std::vector<std::pair<Value, Value>> pairs;
  add_pairs(heap, expr, pairs);
  std::vector<Value> keys;
  for (const auto& [key, item] : pairs) keys.push_back(key);
  const Object* const set = normal_set(heap, make_set(heap, keys));
  std::vector<Value> items(set->size);
  // Where an argument comes twice, the first holds.
  for (size_t i = pairs.size(); i-- > 0;) {
    for (uint32_t at = 0; at < set->size; ++at) {
      if (equal(heap, set->item(at), pairs[i].first)) items[at] = pairs[i].second;
    }
  }
  return make_function(heap, set, items);
}

}  // namespace

std::string file_to_read(const BuiltinCall& call, std::string_view name, size_t at) {
  const std::filesystem::path beside = path_beside(call, name, at);
  std::error_code ignored;
  if (!std::filesystem::exists(beside, ignored)) {
    const std::string& plain = need_string(call, name, at);
    if (std::filesystem::exists(plain, ignored)) return plain;
  }
  return beside.string();
}

std::optional<std::string> text_of_file(const BuiltinCall& call, std::string_view name, size_t at) {
  const std::string path = file_to_read(call, name, at);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  Result<std::string> text = read_file(path);
  if (!text) fail(std::string(name) + ": " + text.error().message);
  return std::move(*text);
}

std::string need_text_of_file(const BuiltinCall& call, std::string_view name, size_t at) {
  std::optional<std::string> text = text_of_file(call, name, at);
  if (!text) {
    fail(std::string(name) + ": there is no file " + file_to_read(call, name, at));
  }
  return std::move(*text);
}

std::string try_write(BuiltinCall& call, std::string_view name, size_t at, const std::string& text,
                      Writing how) {
  const std::filesystem::path path = path_beside(call, name, at);
  if (!call.host().may_write()) {
    return "writing " + path.string() +
           " is refused: a specification may write files only where that was allowed "
           "(--write-files)";
  }
  // Several states may be evaluated at once.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::error_code ignored;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  std::ofstream out(path, how == Writing::kAppended ? std::ios::app : std::ios::trunc);
  out << text;
  out.flush();
  return out ? "" : path.string() + " cannot be written";
}

void write(BuiltinCall& call, std::string_view name, size_t at, const std::string& text,
           Writing how) {
  const std::string why = try_write(call, name, at, text, how);
  if (!why.empty()) fail(std::string(name) + ": " + why);
}

Value value_of_text(Heap& heap, const std::string& what, const std::string& text) {
  Sources sources;
  const uint32_t file = sources.add(what, text);
  const Result<ExprRef> parsed = parse_expression(sources, file);
  if (!parsed) fail(parsed.error().message);
  try {
    return literal(heap, **parsed);
  } catch (const EvalError& error) {
    fail(what + " has no value in it: " + error.message);
  }
}

}  // namespace ordeal::tla
