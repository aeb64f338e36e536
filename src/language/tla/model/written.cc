// Expressions that stand in somebody else's text: read with their place there, changed, compiled.
#include "language/tla/model/specification.h"
#include "language/tla/syntax/parse.h"

namespace ordeal::tla {

Result<ExprRef> Specification::read_expression(const std::string& path, std::string text) {
  return parse_expression(*sources_, sources_->add(path, std::move(text)));
}

Result<std::shared_ptr<Specification::Expression>> Specification::expression(ExprRef written) {
  written_.push_back(std::move(written));
  try {
    auto out = std::make_shared<Expression>();
    out->closed = compiler_->compile_closed(*written_.back(), names_of_expressions());
    return out;
  } catch (const CompileError& error) {
    return Error{error.message};
  }
}

void Specification::name_value(const std::string& name, Value value) {
  names_of_expressions();
  auto symbol = std::make_unique<Symbol>();
  symbol->name = name;
  symbol->value = value;
  if (expressions_->names.emplace(name, symbol.get()).second) {
    symbols_.push_back(std::move(symbol));
  }
}

Result<std::vector<Token>> Specification::tokens(const std::string& path, std::string text) {
  return lex(*sources_, sources_->add(path, std::move(text)), LexPart::kAll);
}

}  // namespace ordeal::tla
