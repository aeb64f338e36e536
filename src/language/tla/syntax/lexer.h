// TLA+ text to tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "language/tla/syntax/ast.h"
#include "language/tla/syntax/operators.h"
#include "language/tla/syntax/source.h"
#include "ordeal/result.h"

namespace ordeal::tla {

enum class TokenKind : uint8_t {
  kEnd,
  kFence,  // not in the text: a token that is no part of the list item in which it is looked at
  kName,
  kNumber,
  kString,
  kOperator,
  kStep,       // <1>2. and <*>
  kSeparator,  // ----
  kModuleEnd,  // ====
  // Punctuation
  kDefine,       // ==
  kLeftParen,    // (
  kRightParen,   // )
  kLeftBrace,    // {
  kRightBrace,   // }
  kLeftBracket,  // [
  kRightBracket,
  kRightBracketSub,  // ]_
  kLeftAngle,        // <<
  kRightAngle,
  kRightAngleSub,  // >>_
  kComma,
  kColon,
  kLabel,  // ::
  kDot,
  kBang,
  kAt,
  kUnderscore,
  kArrow,       // ->
  kSubst,       // <-
  kMapsTo,      // |->
  kForAll,      // \A
  kExists,      // \E
  kForAllT,     // \AA
  kExistsT,     // \EE
  kWeakFair,    // WF_
  kStrongFair,  // SF_
  // Reserved words, in the order of kWords in symbols.cc
  kAction,
  kAssume,
  kAssumption,
  kAxiom,
  kBy,
  kCase,
  kChoose,
  kConstant,
  kConstants,
  kCorollary,
  kDef,
  kDefineWord,
  kDefs,
  kElse,
  kExcept,
  kExtends,
  kHave,
  kHide,
  kIf,
  kIn,
  kInstance,
  kLambda,
  kLemma,
  kLet,
  kLocal,
  kModule,
  kNew,
  kObvious,
  kOmitted,
  kOnly,
  kOther,
  kPick,
  kProof,
  kProposition,
  kProve,
  kQed,
  kRecursive,
  kState,
  kSuffices,
  kTake,
  kTemporal,
  kThen,
  kTheorem,
  kUse,
  kVariable,
  kVariables,
  kWith,
  kWitness,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  // Column of the first character for the layout of lists, where a tab goes on to the next
  // multiple of eight; columns of places count characters.
  uint32_t layout = 0;
  Place place;
  std::string_view text;               // as it stands in the file
  const OperatorSymbol* op = nullptr;  // kOperator
};

enum class LexPart : uint8_t {
  kModule,  // from the first "---- MODULE" to the "====" that closes it
  kAll,
};

// Ends with a token kEnd. The texts of the tokens lie in the file's text. `number`: which of the
// modules that the file has one after the other.
Result<std::vector<Token>> lex(const Sources& sources, uint32_t file, LexPart part,
                               uint32_t number = 0);

// The characters of a kString: without quotes, escapes resolved.
std::string unescaped(std::string_view quoted);

// For messages: "'='", "the name 'x'", "the end of the file".
std::string description(const Token& token);
// "')'", "'THEN'".
std::string description(TokenKind kind);
bool is_reserved(std::string_view word);

}  // namespace ordeal::tla
