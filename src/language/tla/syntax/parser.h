// The parser behind parse.h: recursive descent, and a stack of operators for what binds tighter.
//
// The first error ends it: fail() remembers the error and puts the cursor on the end of the text,
// where every loop stops. What is returned from then on is well formed and of no use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/tla/syntax/ast.h"
#include "language/tla/syntax/lexer.h"
#include "language/tla/syntax/source.h"

namespace ordeal::tla {

class Parser {
 public:
  Parser(const Sources& sources, uint32_t file, std::vector<Token> tokens);

  Module module();
  // Everything up to the end of the text.
  ExprRef only_expression();
  std::vector<Unit> only_definitions();

  bool failed() const { return failed_; }
  const std::string& message() const { return message_; }

 private:
  struct Pending {
    const OperatorSymbol* op = nullptr;
    Token token;
  };
  // Operands, and the operators between and before them that wait for their right side.
  struct Chain {
    std::vector<ExprRef> operands;
    std::vector<Pending> pending;
  };
  // Counts one level of nesting for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser);
    ~Level() { --parser_.level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };
  // Tokens at or left of a column are no part of a list item: see peek().
  class Fence {
   public:
    Fence(Parser& parser, uint32_t column) : parser_(parser), before_(parser.fence_) {
      parser.fence_ = column;
    }
    ~Fence() { parser_.fence_ = before_; }
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;

   private:
    Parser& parser_;
    uint32_t before_;
  };

  // --- cursor: parser.cc
  const Token& raw(size_t ahead = 0) const;
  // As raw(), but kFence for what is no part of the list item that is being read.
  const Token& peek(size_t ahead = 0) const;
  bool at(TokenKind kind, size_t ahead = 0) const { return peek(ahead).kind == kind; }
  bool at_operator(std::string_view text, size_t ahead = 0) const;
  Token take();
  bool take_if(TokenKind kind);
  Token expect(TokenKind kind, std::string_view where);
  Token expect_name(std::string_view what);
  void fail(const Place& place, const std::string& message);
  void fail_here(const std::string& expected);
  std::string found() const;
  std::string likely_cause() const;
  ExprRef make(ExprKind kind, const Place& begin) const;
  // Ends what make() began at the last token taken.
  ExprRef close(ExprRef expr);
  Place up_to_here(const Place& begin) const;

  // --- expressions.cc
  ExprRef expression();
  const OperatorSymbol* prefix_here() const;
  void push_prefix(Chain& chain, const OperatorSymbol& prefix);
  // Reads what may follow an operand; returns the infix operator behind it, not taken yet.
  const OperatorSymbol* after_operand(Chain& chain);
  void reduce(Chain& chain, const OperatorSymbol& next, const Token& token);
  void apply_last(Chain& chain);
  ExprRef operand();
  ExprRef junction_list();
  ExprRef named(bool arguments_allowed);
  bool selector_here(size_t ahead) const;
  void selector(Expr& expr);
  void arguments(std::vector<ExprRef>& into);
  ExprRef argument();
  ExprRef labelled(ExprRef label);

  // --- atoms.cc
  ExprRef in_parentheses();
  ExprRef in_braces();
  ExprRef in_brackets();
  ExprRef function_constructor(Place begin, ExprRef first);
  ExprRef except(Place begin, ExprRef function);
  void except_path(ExceptUpdate& update);
  ExprRef fields(Place begin, bool record);
  ExprRef tuple();
  ExprRef quantifier(ExprKind kind);
  ExprRef choose();
  ExprRef conditional();
  ExprRef cases();
  ExprRef let();
  ExprRef lambda();
  ExprRef fairness(ExprKind kind);
  ExprRef subscript();
  std::vector<Bound> bounds(bool may_be_unbounded, bool must_be_unbounded);
  Bound bound_names(bool tuple_allowed);
  bool to_bound(ExprRef& expr, Bound& bound) const;
  bool to_names(ExprRef& expr, Bound& bound) const;

  // --- units.cc
  void units(Module& module);
  bool unit(Module& module);
  void declaration(Unit& unit, UnitKind kind, bool with_arities);
  Param parameter();
  void assumption(Module& module);
  void theorem(Module& module);
  bool definition_here() const;
  Unit definition();
  void definition_head(Unit& unit);
  void parameters(Unit& unit);
  void instance(Unit& unit);
  void substitutions(Unit& unit);
  std::vector<Unit> let_definitions();

  // --- proofs.cc
  bool proof_here() const;
  void proof();
  void proof_steps();
  void proof_step(bool& is_last);
  void use_body();
  void assume_prove();
  void assume_prove_or_expression(ExprRef* result);
  bool new_symbol_here() const;
  void new_symbol();
  bool assume_here() const;

  const Sources& sources_;
  uint32_t file_;
  std::vector<Token> tokens_;
  Token fence_token_;
  size_t at_ = 0;
  Place last_;  // of the last token taken
  uint32_t fence_ = 0;
  uint32_t level_ = 0;
  bool in_proof_ = false;
  bool failed_ = false;
  std::string message_;
};

}  // namespace ordeal::tla
