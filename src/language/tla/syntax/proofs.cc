// Proofs: read, so that it is known where they end, and forgotten.
#include "language/tla/syntax/parser.h"

namespace ordeal::tla {
namespace {

// The n of <n>; nothing in <*> and <+>.
bool level_of(const Token& step, std::string& level) {
  const std::string_view text = step.text.substr(1, step.text.find('>') - 1);
  if (text == "*" || text == "+") return false;
  level = text.substr(std::min(text.find_first_not_of('0'), text.size()));
  return true;
}

// Levels are numbers of any length.
bool deeper(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() > b.size() : a > b;
}

}  // namespace

bool Parser::proof_here() const {
  return at(TokenKind::kProof) || at(TokenKind::kBy) || at(TokenKind::kObvious) ||
         at(TokenKind::kOmitted) || at(TokenKind::kStep);
}

void Parser::proof() {
  const Level level(*this);
  const bool before = in_proof_;
  in_proof_ = true;
  take_if(TokenKind::kProof);
  switch (peek().kind) {
    case TokenKind::kBy:
      take();
      take_if(TokenKind::kOnly);
      use_body();
      break;
    case TokenKind::kObvious:
    case TokenKind::kOmitted:
      take();
      break;
    case TokenKind::kStep:
      proof_steps();
      break;
    default:
      fail_here("a proof: BY, OBVIOUS, OMITTED or a step such as '<1>1.'");
      break;
  }
  in_proof_ = before;
}

// The steps of one level; after each may stand a proof, whose steps are of a deeper one.
void Parser::proof_steps() {
  std::string own;
  const bool numbered = level_of(peek(), own);
  bool is_last = false;
  do {
    proof_step(is_last);
    if (failed_) return;
    const bool nested = [&] {
      if (!at(TokenKind::kStep)) return proof_here();
      std::string next;
      if (!level_of(peek(), next)) return peek().text[1] == '+';
      return numbered && deeper(next, own);
    }();
    if (nested) proof();
    if (failed_ || is_last || !at(TokenKind::kStep)) return;
    std::string next;
    if (level_of(peek(), next) && numbered && next != own) return;
  } while (true);
}

void Parser::proof_step(bool& is_last) {
  take();
  switch (peek().kind) {
    case TokenKind::kQed:
      take();
      is_last = true;
      return;
    case TokenKind::kUse:
    case TokenKind::kHide:
      take();
      take_if(TokenKind::kOnly);
      use_body();
      return;
    case TokenKind::kDefineWord:
      take();
      let_definitions();
      return;
    case TokenKind::kInstance: {
      Unit ignored;
      instance(ignored);
      return;
    }
    case TokenKind::kHave:
    case TokenKind::kCase:
      take();
      expression();
      return;
    case TokenKind::kWitness:
      take();
      do expression();
      while (take_if(TokenKind::kComma));
      return;
    case TokenKind::kTake:
      take();
      bounds(true, false);
      return;
    case TokenKind::kPick:
      take();
      bounds(true, false);
      expect(TokenKind::kColon, "behind the variables of PICK");
      expression();
      return;
    case TokenKind::kSuffices:
      take();
      assume_prove_or_expression(nullptr);
      return;
    default:
      break;
  }
  // `f(x) == …` needs no DEFINE before it. What has one more `==` on its level is a definition.
  if (at(TokenKind::kName)) {
    size_t ahead = 1;
    size_t depth = 0;
    do {
      const TokenKind kind = raw(ahead).kind;
      if (kind == TokenKind::kLeftParen || kind == TokenKind::kLeftBracket) ++depth;
      if ((kind == TokenKind::kRightParen || kind == TokenKind::kRightBracket) && depth > 0) {
        --depth;
        ++ahead;
        break;
      }
      if (depth > 0) ++ahead;
      if (kind == TokenKind::kEnd || kind == TokenKind::kStep) break;
    } while (depth > 0);
    const bool infix = raw(1).kind == TokenKind::kOperator && raw(2).kind == TokenKind::kName &&
                       raw(3).kind == TokenKind::kDefine;
    if (raw(ahead).kind == TokenKind::kDefine || infix) {
      let_definitions();
      return;
    }
  }
  assume_prove_or_expression(nullptr);
}

// `fact, fact DEF name, name`, as behind BY and USE.
void Parser::use_body() {
  const bool before = in_proof_;
  in_proof_ = true;
  if (!at(TokenKind::kDef) && !at(TokenKind::kDefs)) {
    do {
      if (take_if(TokenKind::kModule)) {
        expect_name("the name of a module");
      } else {
        expression();
      }
    } while (take_if(TokenKind::kComma));
  }
  if (take_if(TokenKind::kDef) || take_if(TokenKind::kDefs)) {
    do {
      if (take_if(TokenKind::kModule)) {
        expect_name("the name of a module");
      } else if (at(TokenKind::kOperator)) {
        take();
      } else if (at(TokenKind::kName) || at(TokenKind::kStep)) {
        named(true);
      } else {
        fail_here("the name of a definition");
      }
    } while (take_if(TokenKind::kComma));
  }
  in_proof_ = before;
}

bool Parser::assume_here() const {
  return at(TokenKind::kAssume) || (at_operator("[]") && at(TokenKind::kAssume, 1)) ||
         (at(TokenKind::kName) && at(TokenKind::kLabel, 1) && at(TokenKind::kAssume, 2));
}

// `result`: where an expression goes; null where it is forgotten.
void Parser::assume_prove_or_expression(ExprRef* result) {
  if (assume_here()) {
    const bool before = in_proof_;
    in_proof_ = true;
    assume_prove();
    in_proof_ = before;
    return;
  }
  ExprRef expr = expression();
  if (result != nullptr) *result = std::move(expr);
}

void Parser::assume_prove() {
  const Level level(*this);
  while (!at(TokenKind::kAssume) && !failed_) take();
  take();
  do {
    if (new_symbol_here()) {
      new_symbol();
    } else {
      assume_prove_or_expression(nullptr);
    }
  } while (take_if(TokenKind::kComma));
  if (at_operator("[]") && at(TokenKind::kProve, 1)) take();
  expect(TokenKind::kProve, "behind the assumptions");
  expression();
}

bool Parser::new_symbol_here() const {
  switch (peek().kind) {
    case TokenKind::kNew:
    case TokenKind::kConstant:
    case TokenKind::kVariable:
    case TokenKind::kState:
    case TokenKind::kAction:
    case TokenKind::kTemporal:
      return true;
    default:
      return false;
  }
}

// `NEW x`, `NEW CONSTANT x \in S`, `NEW F(_)`, `VARIABLE y`
void Parser::new_symbol() {
  take_if(TokenKind::kNew);
  if (new_symbol_here()) take();
  parameter();
  if (at_operator("\\in")) {
    take();
    expression();
  }
}

}  // namespace ordeal::tla
