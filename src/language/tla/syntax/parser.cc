#include "language/tla/syntax/parser.h"

#include <algorithm>

#include "base/text.h"
#include "language/tla/syntax/parse.h"

namespace ordeal::tla {
namespace {

// What a specification is nested and chained at most: readers of the tree go down it by recursion.
constexpr uint32_t kMostLevels = 1000;

}  // namespace

Parser::Parser(const Sources& sources, uint32_t file, std::vector<Token> tokens)
    : sources_(sources), file_(file), tokens_(std::move(tokens)) {
  fence_token_.kind = TokenKind::kFence;
  last_ = tokens_.front().place;
}

Parser::Level::Level(Parser& parser) : parser_(parser) {
  if (++parser.level_ > kMostLevels) {
    parser.fail(parser.raw().place, "this is nested more than " + grouped(kMostLevels) +
                                        " levels deep: give parts of it names of their own");
  }
}

const Token& Parser::raw(size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& Parser::peek(size_t ahead) const {
  const Token& token = raw(ahead);
  return token.layout <= fence_ ? fence_token_ : token;
}

bool Parser::at_operator(std::string_view text, size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == TokenKind::kOperator && token.op->text == text;
}

Token Parser::take() {
  const Token& token = raw();
  if (token.kind != TokenKind::kEnd) {
    ++at_;
    last_ = token.place;
  }
  return token;
}

bool Parser::take_if(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Token Parser::expect(TokenKind kind, std::string_view where) {
  if (at(kind)) return take();
  fail_here(description(kind) + (where.empty() ? "" : " " + std::string(where)));
  return raw();
}

Token Parser::expect_name(std::string_view what) {
  if (at(TokenKind::kName)) return take();
  const Token& token = raw();
  if (!failed_ && is_reserved(token.text)) {
    fail(token.place, "expected " + std::string(what) + ", found '" + std::string(token.text) +
                          "', a reserved word of TLA+");
  }
  fail_here(std::string(what));
  return raw();
}

void Parser::fail(const Place& place, const std::string& message) {
  if (failed_) return;
  failed_ = true;
  message_ = sources_.error(place, message);
  at_ = tokens_.size() - 1;
}

std::string Parser::found() const { return description(raw()); }

// What people most often meant by a text that ends up here.
std::string Parser::likely_cause() const {
  const Token& token = raw();
  if (token.kind == TokenKind::kDefine) {
    return ". Inside of an expression equality is '=', '==' only defines";
  }
  if (at(TokenKind::kFence) && token.kind != TokenKind::kEnd) {
    std::string text =
        ". It stands at or left of the column of the list item that it should "
        "belong to";
    const auto has_tab = [&](uint32_t line) {
      return sources_.line(file_, line).find('\t') != std::string_view::npos;
    };
    if (has_tab(token.place.line) || has_tab(last_.line)) {
      text += "; a tab goes on to the next column that is a multiple of eight";
    }
    return text;
  }
  return "";
}

void Parser::fail_here(const std::string& expected) {
  if (failed_) return;
  fail(raw().place, "expected " + expected + ", found " + found() + likely_cause());
}

ExprRef Parser::make(ExprKind kind, const Place& begin) const {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->place = begin;
  return expr;
}

Place Parser::up_to_here(const Place& begin) const {
  Place place = begin;
  place.end_line = last_.end_line;
  place.end_column = last_.end_column;
  return place;
}

ExprRef Parser::close(ExprRef expr) {
  expr->place = up_to_here(expr->place);
  uint32_t height = 0;
  const auto consider = [&](const ExprRef& part) {
    if (part != nullptr) height = std::max(height, part->height);
  };
  for (const ExprRef& child : expr->children) consider(child);
  for (const Bound& bound : expr->bounds) consider(bound.set);
  for (const Qualifier& qualifier : expr->qualifiers) {
    for (const ExprRef& argument : qualifier.arguments) consider(argument);
  }
  for (const Selector& selector : expr->selectors) {
    for (const ExprRef& argument : selector.arguments) consider(argument);
  }
  for (const ExceptUpdate& update : expr->updates) {
    consider(update.value);
    for (const ExceptStep& step : update.path) {
      for (const ExprRef& index : step.indices) consider(index);
    }
  }
  for (const Unit& unit : expr->units) {
    consider(unit.body);
    for (const Bound& bound : unit.bounds) consider(bound.set);
    for (const Substitution& one : unit.substitutions) consider(one.value);
  }
  expr->height = height + 1;
  if (expr->height > kMostLevels) {
    fail(expr->place, "this has more than " + grouped(kMostLevels) +
                          " levels of operators: give parts of it names of their own");
  }
  return expr;
}

ExprRef Parser::only_expression() {
  ExprRef expr = expression();
  if (!failed_ && !at(TokenKind::kEnd)) fail_here("the end of the expression");
  return expr;
}

std::vector<Unit> Parser::only_definitions() {
  std::vector<Unit> made = let_definitions();
  if (!failed_ && !at(TokenKind::kEnd)) fail_here("a definition, 'Name == …'");
  return made;
}

Result<Module> parse_module(const Sources& sources, uint32_t file, uint32_t number) {
  Result<std::vector<Token>> tokens = lex(sources, file, LexPart::kModule, number);
  if (!tokens) return tokens.error();
  Parser parser(sources, file, *std::move(tokens));
  Module module = parser.module();
  if (parser.failed()) return Error{parser.message()};
  return module;
}

Result<ExprRef> parse_expression(const Sources& sources, uint32_t file) {
  Result<std::vector<Token>> tokens = lex(sources, file, LexPart::kAll);
  if (!tokens) return tokens.error();
  Parser parser(sources, file, *std::move(tokens));
  ExprRef expr = parser.only_expression();
  if (parser.failed()) return Error{parser.message()};
  return expr;
}

Result<std::vector<Unit>> parse_definitions(const Sources& sources, uint32_t file) {
  Result<std::vector<Token>> tokens = lex(sources, file, LexPart::kAll);
  if (!tokens) return tokens.error();
  Parser parser(sources, file, *std::move(tokens));
  std::vector<Unit> units = parser.only_definitions();
  if (parser.failed()) return Error{parser.message()};
  return units;
}

}  // namespace ordeal::tla
