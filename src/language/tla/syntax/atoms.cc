// Expressions that begin with a word or a bracket of their own.
#include "base/text.h"
#include "language/tla/syntax/parser.h"

namespace ordeal::tla {

ExprRef Parser::in_parentheses() {
  const Place begin = take().place;
  ExprRef inner = expression();
  expect(TokenKind::kRightParen, "that closes '('");
  inner->parenthesised = true;
  inner->place = up_to_here(begin);
  return inner;
}

// { }, { e, … }, { x \in S : p }, { e : x \in S, … }
ExprRef Parser::in_braces() {
  const Place begin = take().place;
  ExprRef set = make(ExprKind::kSet, begin);
  if (!at(TokenKind::kRightBrace)) {
    ExprRef first = expression();
    Bound bound;
    if (at(TokenKind::kColon) && to_bound(first, bound)) {
      take();
      if (!bound.is_tuple && bound.names.size() != 1) {
        fail(up_to_here(begin), "'{x \\in S : p}' takes one name or one tuple of names");
      }
      set->kind = ExprKind::kFilter;
      set->bounds.push_back(std::move(bound));
      set->children.push_back(expression());
    } else if (take_if(TokenKind::kColon)) {
      set->kind = ExprKind::kMap;
      set->children.push_back(std::move(first));
      set->bounds = bounds(false, false);
    } else {
      set->children.push_back(std::move(first));
      while (take_if(TokenKind::kComma)) set->children.push_back(expression());
    }
  }
  expect(TokenKind::kRightBrace, "that closes '{'");
  return close(std::move(set));
}

// Whatever stands in brackets: the first expression does not tell what it is.
ExprRef Parser::in_brackets() {
  const Place begin = take().place;
  if (at(TokenKind::kName) && at(TokenKind::kMapsTo, 1)) return fields(begin, true);
  if (at(TokenKind::kName) && at(TokenKind::kColon, 1)) return fields(begin, false);
  ExprRef first = expression();
  if (failed_) return first;
  if (take_if(TokenKind::kRightBracketSub)) {
    ExprRef action = make(ExprKind::kBoxAction, begin);
    action->children.push_back(std::move(first));
    action->children.push_back(subscript());
    return close(std::move(action));
  }
  if (at(TokenKind::kExcept)) return except(begin, std::move(first));
  if (take_if(TokenKind::kArrow)) {
    ExprRef functions = make(ExprKind::kFunctionSet, begin);
    functions->children.push_back(std::move(first));
    functions->children.push_back(expression());
    expect(TokenKind::kRightBracket, "that closes '['");
    return close(std::move(functions));
  }
  if (at(TokenKind::kMapsTo) || at(TokenKind::kComma)) {
    return function_constructor(begin, std::move(first));
  }
  if (at(TokenKind::kRightBracket)) {
    fail(up_to_here(begin),
         "an expression alone in brackets means nothing: '[A]_v', "
         "'[S -> T]', '[x \\in S |-> e]' and '[f EXCEPT ![x] = e]' do");
  }
  fail_here("'|->', '->', 'EXCEPT' or ']_'");
  return first;
}

// [ x \in S, y, z \in T, <<a, b>> \in U |-> e ]
ExprRef Parser::function_constructor(Place begin, ExprRef first) {
  ExprRef function = make(ExprKind::kFunction, begin);
  Bound bound;
  ExprRef next = std::move(first);
  for (;;) {
    if (to_bound(next, bound)) {
      function->bounds.push_back(std::move(bound));
      bound = {};
    } else if (!at(TokenKind::kComma) || bound.is_tuple || !to_names(next, bound)) {
      fail(next->place, "expected 'x \\in S' before '|->'");
    }
    if (failed_ || !take_if(TokenKind::kComma)) break;
    next = expression();
    if (failed_) break;
  }
  expect(TokenKind::kMapsTo, "behind the arguments of a function");
  function->children.push_back(expression());
  expect(TokenKind::kRightBracket, "that closes '['");
  return close(std::move(function));
}

// Whether an expression is `x \in S` or `<<x, y>> \in S`, as the text of a bound reads when nobody
// knows yet that it is one. Names before it (of `x, y \in S`) stand in the bound already.
bool Parser::to_bound(ExprRef& expr, Bound& bound) const {
  if (expr->kind != ExprKind::kApply || expr->text != "\\in" || expr->parenthesised ||
      expr->children.size() != 2 || !expr->qualifiers.empty()) {
    return false;
  }
  ExprRef& left = expr->children[0];
  if (left->parenthesised) return false;
  if (left->kind == ExprKind::kTuple) {
    if (!bound.names.empty() || left->children.empty()) return false;
    Bound names;
    for (ExprRef& part : left->children) {
      if (!to_names(part, names)) return false;
    }
    bound = std::move(names);
    bound.is_tuple = true;
  } else if (!to_names(left, bound)) {
    return false;
  }
  bound.set = std::move(expr->children[1]);
  return true;
}

bool Parser::to_names(ExprRef& expr, Bound& bound) const {
  if (expr->kind != ExprKind::kApply || !expr->children.empty() || !expr->qualifiers.empty() ||
      expr->parenthesised || find_operator(expr->text) != nullptr) {
    return false;
  }
  bound.names.push_back(expr->text);
  bound.places.push_back(expr->name_place);
  return true;
}

ExprRef Parser::fields(Place begin, bool record) {
  ExprRef made = make(record ? ExprKind::kRecord : ExprKind::kRecordSet, begin);
  const TokenKind between = record ? TokenKind::kMapsTo : TokenKind::kColon;
  do {
    const Token name = expect_name("the name of a field");
    made->names.emplace_back(name.text);
    made->name_places.push_back(name.place);
    expect(between, "behind the name of a field");
    made->children.push_back(expression());
  } while (take_if(TokenKind::kComma));
  expect(TokenKind::kRightBracket, "that closes '['");
  return close(std::move(made));
}

ExprRef Parser::except(Place begin, ExprRef function) {
  take();
  ExprRef made = make(ExprKind::kExcept, begin);
  made->children.push_back(std::move(function));
  do {
    ExceptUpdate update;
    expect(TokenKind::kBang, "before what EXCEPT changes, as in '![x] = e' or '!.a = e'");
    except_path(update);
    if (at_operator("=")) {
      take();
    } else {
      fail_here("'=' and the new value");
    }
    update.value = expression();
    made->updates.push_back(std::move(update));
  } while (take_if(TokenKind::kComma));
  expect(TokenKind::kRightBracket, "that closes '[… EXCEPT …'");
  return close(std::move(made));
}

void Parser::except_path(ExceptUpdate& update) {
  while (!failed_ && (at(TokenKind::kDot) || at(TokenKind::kLeftBracket))) {
    ExceptStep step;
    const Place begin = peek().place;
    step.is_field = take().kind == TokenKind::kDot;
    if (step.is_field) {
      step.field = expect_name("the name of a field").text;
    } else {
      do step.indices.push_back(expression());
      while (take_if(TokenKind::kComma));
      expect(TokenKind::kRightBracket, "behind the arguments of a function");
    }
    step.place = up_to_here(begin);
    update.path.push_back(std::move(step));
  }
  if (!failed_ && update.path.empty()) fail_here("'[' or '.' behind '!'");
}

// << >>, << e, … >>, <<A>>_v
ExprRef Parser::tuple() {
  const Place begin = take().place;
  ExprRef made = make(ExprKind::kTuple, begin);
  {
    if (!at(TokenKind::kRightAngle)) {
      do made->children.push_back(expression());
      while (take_if(TokenKind::kComma));
    }
    if (at(TokenKind::kRightAngleSub) && made->children.size() == 1) {
      take();
      made->kind = ExprKind::kAngleAction;
    } else {
      expect(TokenKind::kRightAngle, "that closes '<<'");
    }
  }
  if (made->kind == ExprKind::kAngleAction) made->children.push_back(subscript());
  return close(std::move(made));
}

// What stands behind ]_, >>_, WF_ and SF_: a name without arguments, or anything in brackets.
ExprRef Parser::subscript() {
  switch (peek().kind) {
    case TokenKind::kName:
      return named(false);
    case TokenKind::kLeftParen:
      return in_parentheses();
    case TokenKind::kLeftAngle:
      return tuple();
    case TokenKind::kLeftBrace:
      return in_braces();
    case TokenKind::kLeftBracket:
      return in_brackets();
    default:
      fail_here("a subscript: a name, a tuple or an expression in parentheses");
      return make(ExprKind::kTuple, last_);
  }
}

ExprRef Parser::fairness(ExprKind kind) {
  ExprRef made = make(kind, take().place);
  made->children.push_back(subscript());
  expect(TokenKind::kLeftParen, "before the action");
  made->children.push_back(expression());
  expect(TokenKind::kRightParen, "behind the action");
  return close(std::move(made));
}

// Names up to `\in`, ':' or ',' and the tuples among them.
Bound Parser::bound_names(bool tuple_allowed) {
  Bound bound;
  const auto name = [&] {
    const Token token = expect_name("the name of a bound variable");
    bound.names.emplace_back(token.text);
    bound.places.push_back(token.place);
  };
  if (tuple_allowed && take_if(TokenKind::kLeftAngle)) {
    bound.is_tuple = true;
    do name();
    while (take_if(TokenKind::kComma));
    expect(TokenKind::kRightAngle, "that closes '<<'");
  } else {
    do name();
    while (take_if(TokenKind::kComma));
  }
  return bound;
}

std::vector<Bound> Parser::bounds(bool may_be_unbounded, bool must_be_unbounded) {
  std::vector<Bound> made;
  do {
    Bound bound = bound_names(!must_be_unbounded);
    if (at_operator("\\in") && !must_be_unbounded) {
      take();
      bound.set = expression();
      may_be_unbounded = false;
    } else if (!may_be_unbounded || bound.is_tuple) {
      fail_here("'\\in' and a set");
    }
    made.push_back(std::move(bound));
  } while (!failed_ && take_if(TokenKind::kComma));
  return made;
}

ExprRef Parser::quantifier(ExprKind kind) {
  ExprRef made = make(kind, take().place);
  const bool temporal = kind == ExprKind::kTemporalForAll || kind == ExprKind::kTemporalExists;
  made->bounds = bounds(true, temporal);
  expect(TokenKind::kColon, "behind the variables of a quantifier");
  made->children.push_back(expression());
  return close(std::move(made));
}

ExprRef Parser::choose() {
  ExprRef made = make(ExprKind::kChoose, take().place);
  Bound bound = bound_names(true);
  if (!bound.is_tuple && bound.names.size() > 1) {
    fail(bound.places[1], "CHOOSE takes one name, or a tuple of names: '<<x, y>> \\in S'");
  }
  if (at_operator("\\in")) {
    take();
    bound.set = expression();
  }
  made->bounds.push_back(std::move(bound));
  expect(TokenKind::kColon, "behind the variable of CHOOSE");
  made->children.push_back(expression());
  return close(std::move(made));
}

ExprRef Parser::conditional() {
  ExprRef made = make(ExprKind::kIf, take().place);
  made->children.push_back(expression());
  expect(TokenKind::kThen, "behind the condition of IF");
  made->children.push_back(expression());
  expect(TokenKind::kElse, "behind the expression of THEN");
  made->children.push_back(expression());
  return close(std::move(made));
}

ExprRef Parser::cases() {
  ExprRef made = make(ExprKind::kCase, take().place);
  for (;;) {
    const bool other = take_if(TokenKind::kOther);
    if (!other) made->children.push_back(expression());
    expect(TokenKind::kArrow, "behind the condition of CASE");
    made->children.push_back(expression());
    // Behind OTHER the next case is one of the CASE around this.
    if (failed_ || other || !at_operator("[]")) break;
    take();
  }
  return close(std::move(made));
}

ExprRef Parser::let() {
  ExprRef made = make(ExprKind::kLet, take().place);
  made->units = let_definitions();
  if (!failed_ && made->units.empty()) fail_here("a definition behind LET");
  expect(TokenKind::kIn, "behind the definitions of LET");
  made->children.push_back(expression());
  return close(std::move(made));
}

ExprRef Parser::lambda() {
  ExprRef made = make(ExprKind::kLambda, take().place);
  do {
    const Token name = expect_name("the name of a parameter");
    made->params.push_back({std::string(name.text), 0, name.place});
  } while (take_if(TokenKind::kComma));
  expect(TokenKind::kColon, "behind the parameters of LAMBDA");
  made->children.push_back(expression());
  return close(std::move(made));
}

}  // namespace ordeal::tla
