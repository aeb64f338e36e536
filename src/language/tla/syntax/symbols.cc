#include "language/tla/syntax/symbols.h"

#include <algorithm>
#include <unordered_map>

namespace ordeal::tla {
namespace {

struct Symbol {
  std::string_view text;
  TokenKind kind;
};

constexpr Symbol kSymbols[] = {
    {"==", TokenKind::kDefine},
    {"(", TokenKind::kLeftParen},
    {")", TokenKind::kRightParen},
    {"{", TokenKind::kLeftBrace},
    {"}", TokenKind::kRightBrace},
    {"[", TokenKind::kLeftBracket},
    {"]", TokenKind::kRightBracket},
    {"]_", TokenKind::kRightBracketSub},
    {"<<", TokenKind::kLeftAngle},
    {">>", TokenKind::kRightAngle},
    {">>_", TokenKind::kRightAngleSub},
    {",", TokenKind::kComma},
    {":", TokenKind::kColon},
    {"::", TokenKind::kLabel},
    {".", TokenKind::kDot},
    {"!", TokenKind::kBang},
    {"@", TokenKind::kAt},
    {"_", TokenKind::kUnderscore},
    {"->", TokenKind::kArrow},
    {"<-", TokenKind::kSubst},
    {"|->", TokenKind::kMapsTo},
    {"\\A", TokenKind::kForAll},
    {"\\E", TokenKind::kExists},
    {"\\AA", TokenKind::kForAllT},
    {"\\EE", TokenKind::kExistsT},
    {"\\forall", TokenKind::kForAll},
    {"\\exists", TokenKind::kExists},
};

constexpr Symbol kWords[] = {
    {"ACTION", TokenKind::kAction},
    {"ASSUME", TokenKind::kAssume},
    {"ASSUMPTION", TokenKind::kAssumption},
    {"AXIOM", TokenKind::kAxiom},
    {"BY", TokenKind::kBy},
    {"CASE", TokenKind::kCase},
    {"CHOOSE", TokenKind::kChoose},
    {"CONSTANT", TokenKind::kConstant},
    {"CONSTANTS", TokenKind::kConstants},
    {"COROLLARY", TokenKind::kCorollary},
    {"DEF", TokenKind::kDef},
    {"DEFINE", TokenKind::kDefineWord},
    {"DEFS", TokenKind::kDefs},
    {"ELSE", TokenKind::kElse},
    {"EXCEPT", TokenKind::kExcept},
    {"EXTENDS", TokenKind::kExtends},
    {"HAVE", TokenKind::kHave},
    {"HIDE", TokenKind::kHide},
    {"IF", TokenKind::kIf},
    {"IN", TokenKind::kIn},
    {"INSTANCE", TokenKind::kInstance},
    {"LAMBDA", TokenKind::kLambda},
    {"LEMMA", TokenKind::kLemma},
    {"LET", TokenKind::kLet},
    {"LOCAL", TokenKind::kLocal},
    {"MODULE", TokenKind::kModule},
    {"NEW", TokenKind::kNew},
    {"OBVIOUS", TokenKind::kObvious},
    {"OMITTED", TokenKind::kOmitted},
    {"ONLY", TokenKind::kOnly},
    {"OTHER", TokenKind::kOther},
    {"PICK", TokenKind::kPick},
    {"PROOF", TokenKind::kProof},
    {"PROPOSITION", TokenKind::kProposition},
    {"PROVE", TokenKind::kProve},
    {"QED", TokenKind::kQed},
    {"RECURSIVE", TokenKind::kRecursive},
    {"STATE", TokenKind::kState},
    {"SUFFICES", TokenKind::kSuffices},
    {"TAKE", TokenKind::kTake},
    {"TEMPORAL", TokenKind::kTemporal},
    {"THEN", TokenKind::kThen},
    {"THEOREM", TokenKind::kTheorem},
    {"USE", TokenKind::kUse},
    {"VARIABLE", TokenKind::kVariable},
    {"VARIABLES", TokenKind::kVariables},
    {"WITH", TokenKind::kWith},
    {"WITNESS", TokenKind::kWitness},
};

}  // namespace

const Meaning* symbol_at(std::string_view text, size_t& length) {
  static const std::unordered_map<std::string_view, Meaning> known = [] {
    std::unordered_map<std::string_view, Meaning> made;
    for (const Symbol& one : kSymbols) made.emplace(one.text, Meaning{one.kind, nullptr});
    for (const char* one : {"~",
                            "[]",
                            "<>",
                            "-.",
                            "=>",
                            "~>",
                            "<=>",
                            "-+->",
                            "/\\",
                            "\\/",
                            "=",
                            "/=",
                            "#",
                            "<",
                            "<=",
                            "=<",
                            ">",
                            ">=",
                            "|-",
                            "|=",
                            "-|",
                            "=|",
                            ":=",
                            "::=",
                            "@@",
                            ":>",
                            "<:",
                            "\\",
                            "..",
                            "...",
                            "$",
                            "$$",
                            "??",
                            "##",
                            "!!",
                            "+",
                            "++",
                            "%",
                            "%%",
                            "|",
                            "||",
                            "-",
                            "--",
                            "*",
                            "**",
                            "/",
                            "//",
                            "&",
                            "&&",
                            "^",
                            "^^",
                            "'",
                            "^+",
                            "^*",
                            "^#",
                            "(+)",
                            "(-)",
                            "(.)",
                            "(/)",
                            "(\\X)",
                            "(\\times)",
                            "\\X",
                            "\\in",
                            "\\notin",
                            "\\land",
                            "\\lor",
                            "\\lnot",
                            "\\neg",
                            "\\equiv",
                            "\\neq",
                            "\\leq",
                            "\\geq",
                            "\\times",
                            "\\cap",
                            "\\cup",
                            "\\intersect",
                            "\\union",
                            "\\o",
                            "\\circ",
                            "\\subseteq",
                            "\\subset",
                            "\\supset",
                            "\\supseteq",
                            "\\sqsubset",
                            "\\sqsubseteq",
                            "\\sqsupset",
                            "\\sqsupseteq",
                            "\\prec",
                            "\\succ",
                            "\\preceq",
                            "\\succeq",
                            "\\sim",
                            "\\simeq",
                            "\\ll",
                            "\\gg",
                            "\\asymp",
                            "\\approx",
                            "\\cong",
                            "\\doteq",
                            "\\propto",
                            "\\cdot",
                            "\\uplus",
                            "\\sqcap",
                            "\\sqcup",
                            "\\wr",
                            "\\oplus",
                            "\\ominus",
                            "\\odot",
                            "\\oslash",
                            "\\otimes",
                            "\\star",
                            "\\bullet",
                            "\\bigcirc",
                            "\\div"}) {
      made.emplace(one, Meaning{TokenKind::kOperator, find_operator(one)});
    }
    return made;
  }();
  constexpr size_t kMost = 12;
  for (length = std::min(text.size(), kMost); length > 0; --length) {
    const auto found = known.find(text.substr(0, length));
    if (found != known.end()) return &found->second;
  }
  return nullptr;
}

std::optional<TokenKind> reserved_word(std::string_view word) {
  static const std::unordered_map<std::string_view, TokenKind> words = [] {
    std::unordered_map<std::string_view, TokenKind> made;
    for (const Symbol& one : kWords) made.emplace(one.text, one.kind);
    return made;
  }();
  const auto found = words.find(word);
  if (found == words.end()) return std::nullopt;
  return found->second;
}

std::string_view spelling(TokenKind kind) {
  for (const Symbol& one : kSymbols) {
    if (one.kind == kind) return one.text;
  }
  for (const Symbol& one : kWords) {
    if (one.kind == kind) return one.text;
  }
  return {};
}

}  // namespace ordeal::tla
