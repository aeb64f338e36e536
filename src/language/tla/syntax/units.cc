// Modules, declarations and definitions.
#include "base/text.h"
#include "language/tla/syntax/parser.h"

namespace ordeal::tla {

Module Parser::module() {
  Module made;
  const Level level(*this);
  const Fence open(*this, 0);
  const Place begin = peek().place;
  expect(TokenKind::kSeparator, "before MODULE");
  expect(TokenKind::kModule, "");
  const Token name = expect_name("the name of the module");
  made.name = name.text;
  const size_t opened = at_;
  expect(TokenKind::kSeparator, "behind the name of the module");
  if (take_if(TokenKind::kExtends)) {
    do {
      const Token extended = expect_name("the name of a module");
      made.extends.emplace_back(extended.text);
      made.extends_places.push_back(extended.place);
    } while (take_if(TokenKind::kComma));
  }
  units(made);
  if (!failed_ && !take_if(TokenKind::kModuleEnd)) {
    if (at(TokenKind::kEnd)) {
      fail(up_to_here(begin).line == begin.line ? begin : tokens_[opened].place,
           "the module '" + made.name + "' is not closed: expected a line '====' at its end");
    }
    fail_here("a definition, a declaration or '===='");
  }
  made.place = up_to_here(begin);
  return made;
}

void Parser::units(Module& module) {
  while (!failed_ && unit(module)) {
  }
}

bool Parser::unit(Module& module) {
  const Place begin = peek().place;
  Unit made;
  switch (peek().kind) {
    case TokenKind::kSeparator:
      if (!at(TokenKind::kModule, 1)) {
        take();
        return true;
      }
      made.kind = UnitKind::kModule;
      made.inner = std::make_unique<Module>(this->module());
      made.name = made.inner->name;
      break;
    case TokenKind::kConstant:
    case TokenKind::kConstants:
      declaration(made, UnitKind::kConstants, true);
      break;
    case TokenKind::kVariable:
    case TokenKind::kVariables:
      declaration(made, UnitKind::kVariables, false);
      break;
    case TokenKind::kRecursive:
      declaration(made, UnitKind::kRecursive, true);
      break;
    case TokenKind::kAssume:
    case TokenKind::kAssumption:
    case TokenKind::kAxiom:
      assumption(module);
      return true;
    case TokenKind::kTheorem:
    case TokenKind::kLemma:
    case TokenKind::kProposition:
    case TokenKind::kCorollary:
      theorem(module);
      return true;
    case TokenKind::kUse:
    case TokenKind::kHide:
      take();
      use_body();
      return true;
    case TokenKind::kInstance:
      instance(made);
      break;
    case TokenKind::kLocal:
      take();
      if (at(TokenKind::kInstance)) {
        instance(made);
      } else {
        made = definition();
      }
      made.local = true;
      break;
    default:
      if (!definition_here()) return false;
      made = definition();
      break;
  }
  made.place = up_to_here(begin);
  module.units.push_back(std::move(made));
  return true;
}

void Parser::declaration(Unit& unit, UnitKind kind, bool with_arities) {
  take();
  unit.kind = kind;
  do {
    if (with_arities) {
      unit.params.push_back(parameter());
    } else {
      const Token name = expect_name("the name of a variable");
      unit.params.push_back({std::string(name.text), 0, name.place});
    }
  } while (take_if(TokenKind::kComma));
}

// `x`, `F(_, _)`, `_ + _`, `-. _`, `_ ^+`
Param Parser::parameter() {
  Param made;
  const Place begin = peek().place;
  if (at(TokenKind::kUnderscore)) {
    take();
    if (!at(TokenKind::kOperator) || peek().op->fixity == Fixity::kPrefix) {
      fail_here("an infix or postfix operator behind '_'");
      return made;
    }
    const Token symbol = take();
    made.name = symbol.op->text;
    made.arity = symbol.op->fixity == Fixity::kInfix ? 2 : 1;
    if (made.arity == 2) expect(TokenKind::kUnderscore, "behind an infix operator");
  } else if (const OperatorSymbol* prefix = prefix_here()) {
    take();
    made.name = prefix->text;
    made.arity = 1;
    expect(TokenKind::kUnderscore, "behind a prefix operator");
  } else {
    made.name = expect_name("a name").text;
    if (take_if(TokenKind::kLeftParen)) {
      do {
        expect(TokenKind::kUnderscore, "for each argument");
        ++made.arity;
      } while (take_if(TokenKind::kComma));
      expect(TokenKind::kRightParen, "behind the arguments");
    }
  }
  made.place = up_to_here(begin);
  return made;
}

void Parser::assumption(Module& module) {
  Unit made;
  made.kind = UnitKind::kAssumption;
  const Place begin = take().place;
  if (at(TokenKind::kName) && at(TokenKind::kDefine, 1)) {
    made.name = peek().text;
    made.name_place = take().place;
    take();
  }
  made.body = expression();
  made.place = up_to_here(begin);
  module.units.push_back(std::move(made));
}

void Parser::theorem(Module& module) {
  Unit made;
  made.kind = UnitKind::kTheorem;
  const Place begin = take().place;
  if (at(TokenKind::kName) && at(TokenKind::kDefine, 1)) {
    made.name = peek().text;
    made.name_place = take().place;
    take();
  }
  assume_prove_or_expression(&made.body);
  made.place = up_to_here(begin);
  module.units.push_back(std::move(made));
  if (proof_here()) proof();
}

bool Parser::definition_here() const {
  return at(TokenKind::kName) ||
         (prefix_here() != nullptr && at(TokenKind::kName, 1) && at(TokenKind::kDefine, 2));
}

Unit Parser::definition() {
  Unit made;
  const Place begin = peek().place;
  definition_head(made);
  if (failed_) return made;
  expect(TokenKind::kDefine, "in the definition of '" + made.name + "'");
  if (at(TokenKind::kInstance) && made.kind == UnitKind::kOperator) {
    instance(made);
  } else {
    made.body = expression();
  }
  made.place = up_to_here(begin);
  return made;
}

// Everything before '=='.
void Parser::definition_head(Unit& unit) {
  const auto value = [&](const Token& name) {
    unit.params.push_back({std::string(name.text), 0, name.place});
  };
  if (const OperatorSymbol* prefix = prefix_here()) {
    unit.name = prefix->text;
    unit.name_place = take().place;
    value(expect_name("the parameter of a prefix operator"));
    return;
  }
  const Token name = expect_name("the name of a definition");
  unit.name = name.text;
  unit.name_place = name.place;
  if (at(TokenKind::kLeftParen)) {
    parameters(unit);
  } else if (at(TokenKind::kLeftBracket)) {
    unit.kind = UnitKind::kFunction;
    take();
    unit.bounds = bounds(false, false);
    expect(TokenKind::kRightBracket, "behind the arguments of a function");
  } else if (at(TokenKind::kOperator) && peek().op->fixity != Fixity::kPrefix) {
    const Token symbol = raw();
    if (symbol.op->text == "=") {
      fail(symbol.place, "'=' is equality: a definition is written '" + unit.name + " == …'");
      return;
    }
    take();
    unit.name = symbol.op->text;
    unit.name_place = symbol.place;
    value(name);
    if (symbol.op->fixity == Fixity::kInfix) {
      value(expect_name("the right parameter of the infix operator '" + unit.name + "'"));
    }
  } else if (!at(TokenKind::kDefine)) {
    fail_here("'==' and a definition of '" + unit.name +
              "', or, where that is part of an expression, an operator before it");
  }
}

void Parser::parameters(Unit& unit) {
  take();
  do unit.params.push_back(parameter());
  while (take_if(TokenKind::kComma));
  expect(TokenKind::kRightParen, "behind the parameters");
}

void Parser::instance(Unit& unit) {
  unit.kind = UnitKind::kInstance;
  take();
  const Token name = expect_name("the name of a module");
  unit.module = name.text;
  unit.module_place = name.place;
  if (take_if(TokenKind::kWith)) substitutions(unit);
}

void Parser::substitutions(Unit& unit) {
  do {
    Substitution one;
    const Place begin = peek().place;
    if (at(TokenKind::kOperator)) {
      one.name = take().op->text;
    } else {
      one.name = expect_name("a constant or variable of the module").text;
    }
    expect(TokenKind::kSubst, "behind what is substituted");
    const TokenKind after = peek(1).kind;
    const bool infix_follows =
        after == TokenKind::kName || after == TokenKind::kNumber || after == TokenKind::kLeftParen;
    if (at(TokenKind::kOperator) && peek().op->fixity != Fixity::kPrefix && !infix_follows) {
      one.value = make(ExprKind::kApply, peek().place);
      one.value->name_place = peek().place;
      one.value->text = take().op->text;
    } else {
      one.value = argument();
    }
    one.place = up_to_here(begin);
    unit.substitutions.push_back(std::move(one));
  } while (take_if(TokenKind::kComma));
}

// The definitions of LET and of DEFINE.
std::vector<Unit> Parser::let_definitions() {
  std::vector<Unit> made;
  while (!failed_) {
    const Place begin = peek().place;
    if (at(TokenKind::kRecursive)) {
      Unit unit;
      declaration(unit, UnitKind::kRecursive, true);
      unit.place = up_to_here(begin);
      made.push_back(std::move(unit));
    } else if (definition_here()) {
      made.push_back(definition());
    } else {
      break;
    }
  }
  return made;
}

}  // namespace ordeal::tla
