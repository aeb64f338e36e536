// Operators and their operands.
#include "base/text.h"
#include "language/tla/syntax/parser.h"

namespace ordeal::tla {
namespace {

bool is_junction(const Token& token) {
  return token.kind == TokenKind::kOperator && (token.op->text == "/\\" || token.op->text == "\\/");
}

// `a + b + c` as one node where the language knows no other grouping.
bool joins(const Expr& left, ExprKind kind, std::string_view text) {
  return left.kind == kind && !left.parenthesised && !left.by_list &&
         (kind != ExprKind::kApply || (left.text == text && left.qualifiers.empty()));
}

}  // namespace

ExprRef Parser::expression() {
  const Level level(*this);
  if (failed_) return make(ExprKind::kTuple, last_);
  Chain chain;
  for (;;) {
    while (const OperatorSymbol* prefix = prefix_here()) push_prefix(chain, *prefix);
    chain.operands.push_back(operand());
    if (failed_) break;
    const OperatorSymbol* infix = after_operand(chain);
    if (infix == nullptr) break;
    reduce(chain, *infix, peek());
    if (failed_) break;
    chain.pending.push_back({infix, take()});
  }
  while (!failed_ && !chain.pending.empty()) apply_last(chain);
  if (failed_) return make(ExprKind::kTuple, last_);
  return std::move(chain.operands.front());
}

const OperatorSymbol* Parser::prefix_here() const {
  const Token& token = peek();
  if (token.kind != TokenKind::kOperator) return nullptr;
  if (token.op->text == "-") return find_operator("-.");
  return token.op->fixity == Fixity::kPrefix ? token.op : nullptr;
}

// Before an operand no prefix operator is out of place, but for a minus behind what binds tighter:
// "a * -b" is no TLA+.
void Parser::push_prefix(Chain& chain, const OperatorSymbol& prefix) {
  if (prefix.text == "-." && !chain.pending.empty()) {
    const Pending& before = chain.pending.back();
    if (before.op->fixity == Fixity::kInfix && before.op->low > prefix.high) {
      Place both = before.token.place;
      both.end_line = peek().place.end_line;
      both.end_column = peek().place.end_column;
      fail(both, "'-' cannot follow '" + std::string(before.op->text) +
                     "', which binds tighter: put parentheses around the negative operand");
      return;
    }
  }
  chain.pending.push_back({&prefix, take()});
}

const OperatorSymbol* Parser::after_operand(Chain& chain) {
  for (;;) {
    if (failed_) return nullptr;
    ExprRef& last = chain.operands.back();
    const Token& token = peek();
    if (token.kind == TokenKind::kLeftBracket) {
      ExprRef applied = make(ExprKind::kFunctionApply, last->place);
      take();
      applied->children.push_back(std::move(last));
      do applied->children.push_back(expression());
      while (take_if(TokenKind::kComma));
      expect(TokenKind::kRightBracket, "behind the arguments of a function");
      last = close(std::move(applied));
    } else if (token.kind == TokenKind::kDot) {
      ExprRef field = make(ExprKind::kField, last->place);
      take();
      const Token name = expect_name("the name of a field");
      field->text = name.text;
      field->name_place = name.place;
      field->children.push_back(std::move(last));
      last = close(std::move(field));
    } else if (token.kind == TokenKind::kOperator && token.op->fixity == Fixity::kPostfix) {
      reduce(chain, *token.op, token);
      if (failed_) return nullptr;
      ExprRef& operand = chain.operands.back();
      ExprRef applied = make(ExprKind::kApply, operand->place);
      applied->text = token.op->text;
      applied->name_place = take().place;
      applied->children.push_back(std::move(operand));
      operand = close(std::move(applied));
    } else if (token.kind == TokenKind::kOperator && token.op->fixity == Fixity::kInfix) {
      return token.op;
    } else {
      return nullptr;
    }
  }
}

void Parser::reduce(Chain& chain, const OperatorSymbol& next, const Token& token) {
  while (!failed_ && !chain.pending.empty()) {
    const OperatorSymbol& waiting = *chain.pending.back().op;
    if (waiting.high < next.low) return;
    const bool same = &waiting == &next && next.left;
    if (waiting.low <= next.high && !same) {
      const Place& first = chain.pending.back().token.place;
      Place both = first;
      both.end_line = token.place.end_line;
      both.end_column = token.place.end_column;
      const std::string left(waiting.text);
      const std::string right(next.text);
      if (&waiting == &next) {
        fail(both, "'" + left + "' cannot follow '" + right +
                       "' without parentheses: put some around what belongs together");
      } else {
        fail(both, "neither '" + left + "' nor '" + right +
                       "' binds tighter than the other: put parentheses around what belongs "
                       "together");
      }
      return;
    }
    apply_last(chain);
  }
}

void Parser::apply_last(Chain& chain) {
  const Pending pending = chain.pending.back();
  chain.pending.pop_back();
  const std::string_view text = pending.op->text;
  ExprRef right = std::move(chain.operands.back());
  if (pending.op->fixity == Fixity::kPrefix) {
    ExprRef applied = make(ExprKind::kApply, pending.token.place);
    applied->text = text;
    applied->name_place = pending.token.place;
    applied->children.push_back(std::move(right));
    const Place end = applied->children.back()->place;
    applied = close(std::move(applied));
    applied->place.end_line = end.end_line;
    applied->place.end_column = end.end_column;
    chain.operands.back() = std::move(applied);
    return;
  }
  chain.operands.pop_back();
  ExprRef left = std::move(chain.operands.back());
  const ExprKind kind = text == "/\\"   ? ExprKind::kConjunction
                        : text == "\\/" ? ExprKind::kDisjunction
                                        : ExprKind::kApply;
  const Place end = right->place;
  ExprRef applied;
  if ((kind != ExprKind::kApply || text == "\\X") && joins(*left, kind, text)) {
    applied = std::move(left);
  } else {
    applied = make(kind, left->place);
    if (kind == ExprKind::kApply) applied->text = text;
    applied->name_place = pending.token.place;
    applied->children.push_back(std::move(left));
  }
  applied->children.push_back(std::move(right));
  applied = close(std::move(applied));
  applied->place.end_line = end.end_line;
  applied->place.end_column = end.end_column;
  chain.operands.back() = std::move(applied);
}

ExprRef Parser::operand() {
  const Token& token = peek();
  switch (token.kind) {
    case TokenKind::kName:
      if (at(TokenKind::kDefine, 1)) {
        fail(last_, "expected an expression behind this, found the definition of " +
                        std::string(token.text));
        return make(ExprKind::kNumber, token.place);
      }
      return named(true);
    case TokenKind::kStep:
      if (in_proof_) return named(true);
      break;
    case TokenKind::kNumber:
    case TokenKind::kString: {
      const bool number = token.kind == TokenKind::kNumber;
      ExprRef made = make(number ? ExprKind::kNumber : ExprKind::kString, token.place);
      made->text = number ? std::string(token.text) : unescaped(token.text);
      take();
      return made;
    }
    case TokenKind::kAt:
      return make(ExprKind::kAt, take().place);
    case TokenKind::kLeftParen:
      return in_parentheses();
    case TokenKind::kLeftBrace:
      return in_braces();
    case TokenKind::kLeftBracket:
      return in_brackets();
    case TokenKind::kLeftAngle:
      return tuple();
    case TokenKind::kForAll:
      return quantifier(ExprKind::kForAll);
    case TokenKind::kExists:
      return quantifier(ExprKind::kExists);
    case TokenKind::kForAllT:
      return quantifier(ExprKind::kTemporalForAll);
    case TokenKind::kExistsT:
      return quantifier(ExprKind::kTemporalExists);
    case TokenKind::kChoose:
      return choose();
    case TokenKind::kIf:
      return conditional();
    case TokenKind::kCase:
      return cases();
    case TokenKind::kLet:
      return let();
    case TokenKind::kLambda:
      return lambda();
    case TokenKind::kWeakFair:
      return fairness(ExprKind::kWeakFairness);
    case TokenKind::kStrongFair:
      return fairness(ExprKind::kStrongFairness);
    case TokenKind::kOperator:
      if (is_junction(token)) return junction_list();
      // `+(a, b)`, as any operator can be written.
      if (at(TokenKind::kLeftParen, 1)) {
        const bool infix = token.op->fixity == Fixity::kInfix;
        ExprRef made = named(true);
        if (infix && made->children.size() != 2) {
          fail(made->name_place,
               "'" + made->text + "' stands between two expressions, and there is none before it");
        }
        return made;
      }
      break;
    default:
      break;
  }
  fail_here("an expression");
  return make(ExprKind::kTuple, last_);
}

ExprRef Parser::junction_list() {
  const Token bullet = take();
  const bool conjunction = bullet.op->text == "/\\";
  ExprRef list = make(conjunction ? ExprKind::kConjunction : ExprKind::kDisjunction, bullet.place);
  list->by_list = true;
  list->name_place = bullet.place;
  for (;;) {
    {
      const Fence item(*this, bullet.layout);
      list->children.push_back(expression());
    }
    const Token& next = peek();
    if (failed_ || next.layout != bullet.layout || next.op != bullet.op) break;
    take();
  }
  return close(std::move(list));
}

// A name with the instances before it and the arguments behind it, `A(x)!B!C(y)`; and the selectors
// behind those, `Inv!2`.
ExprRef Parser::named(bool arguments_allowed) {
  ExprRef expr = make(ExprKind::kApply, peek().place);
  bool symbol = false;
  for (;;) {
    const Token name = take();
    symbol = name.kind == TokenKind::kOperator;
    expr->text = symbol ? name.op->text : name.text;
    expr->name_place = name.place;
    if (arguments_allowed && at(TokenKind::kLeftParen)) arguments(expr->children);
    if (failed_ || symbol || !at(TokenKind::kBang) || selector_here(1)) break;
    take();
    Qualifier qualifier;
    qualifier.name = std::move(expr->text);
    qualifier.arguments = std::move(expr->children);
    qualifier.place = up_to_here(name.place);
    expr->children.clear();
    expr->qualifiers.push_back(std::move(qualifier));
    if (!at(TokenKind::kName) && !at(TokenKind::kOperator)) {
      fail_here("a name behind '!'");
      break;
    }
  }
  while (!failed_ && at(TokenKind::kBang) && (selector_here(1) || !expr->selectors.empty())) {
    selector(*expr);
  }
  const bool plain = expr->qualifiers.empty() && expr->selectors.empty() && !symbol;
  expr = close(std::move(expr));
  if (arguments_allowed && plain && at(TokenKind::kLabel)) return labelled(std::move(expr));
  return expr;
}

bool Parser::selector_here(size_t ahead) const {
  switch (peek(ahead).kind) {
    case TokenKind::kNumber:
    case TokenKind::kColon:
    case TokenKind::kAt:
    case TokenKind::kLeftAngle:
    case TokenKind::kRightAngle:
    case TokenKind::kLeftParen:
      return true;
    default:
      return false;
  }
}

// `!1`, `!<<`, `!:`, `!@`, `!(x)`; behind one of those also `!label` and `!label(x)`.
void Parser::selector(Expr& expr) {
  const Place begin = take().place;
  Selector made;
  if (!selector_here(0) && !at(TokenKind::kName)) {
    fail_here("a number, a label, ':', '<<', '>>', '@' or '(' behind '!'");
    return;
  }
  const bool open = at(TokenKind::kLeftParen);
  made.text = open ? "(" : std::string(take().text);
  if (open || at(TokenKind::kLeftParen)) arguments(made.arguments);
  made.place = up_to_here(begin);
  expr.selectors.push_back(std::move(made));
}

void Parser::arguments(std::vector<ExprRef>& into) {
  expect(TokenKind::kLeftParen, "");
  do into.push_back(argument());
  while (take_if(TokenKind::kComma));
  expect(TokenKind::kRightParen, "behind the arguments of an operator");
}

// An expression, or the symbol of an operator.
ExprRef Parser::argument() {
  const TokenKind after = peek(1).kind;
  if (at(TokenKind::kOperator) && (after == TokenKind::kComma || after == TokenKind::kRightParen)) {
    ExprRef symbol = make(ExprKind::kApply, peek().place);
    symbol->name_place = peek().place;
    symbol->text = take().op->text;
    return symbol;
  }
  return expression();
}

// `label:: expression` and `label(x, y):: expression`: the label is for people.
ExprRef Parser::labelled(ExprRef label) {
  for (const ExprRef& child : label->children) {
    if (child->kind != ExprKind::kApply || !child->children.empty()) {
      fail(label->place, "a label is a name, or a name with parameters: 'name(x, y)::'");
    }
  }
  expect(TokenKind::kLabel, "");
  return expression();
}

}  // namespace ordeal::tla
