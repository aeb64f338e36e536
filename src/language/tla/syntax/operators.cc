#include "language/tla/syntax/operators.h"

#include <map>
#include <unordered_map>

namespace ordeal::tla {
namespace {

constexpr Fixity kPre = Fixity::kPrefix;
constexpr Fixity kIn = Fixity::kInfix;
constexpr Fixity kPost = Fixity::kPostfix;

// The ranges of "Specifying Systems", as SANY has them where the two differ.
constexpr OperatorSymbol kOperators[] = {
    {"~", kPre, 4, 4},
    {"[]", kPre, 4, 15},
    {"<>", kPre, 4, 15},
    {"ENABLED", kPre, 4, 15},
    {"UNCHANGED", kPre, 4, 15},
    {"SUBSET", kPre, 10, 13},
    {"UNION", kPre, 10, 13},
    {"DOMAIN", kPre, 10, 13},
    {"-.", kPre, 12, 12},
    {"=>", kIn, 1, 1},
    {"~>", kIn, 2, 2},
    {"<=>", kIn, 2, 2},
    {"-+->", kIn, 2, 2},
    {"/\\", kIn, 3, 3, true},
    {"\\/", kIn, 3, 3, true},
    {"=", kIn, 5, 5},
    {"/=", kIn, 5, 5},
    {"\\in", kIn, 5, 5},
    {"\\notin", kIn, 5, 5},
    {"<", kIn, 5, 5},
    {"<=", kIn, 5, 5},
    {">", kIn, 5, 5},
    {">=", kIn, 5, 5},
    {"\\subseteq", kIn, 5, 5},
    {"\\subset", kIn, 5, 5},
    {"\\supset", kIn, 5, 5},
    {"\\supseteq", kIn, 5, 5},
    {"\\sqsubset", kIn, 5, 5},
    {"\\sqsubseteq", kIn, 5, 5},
    {"\\sqsupset", kIn, 5, 5},
    {"\\sqsupseteq", kIn, 5, 5},
    {"\\prec", kIn, 5, 5},
    {"\\succ", kIn, 5, 5},
    {"\\preceq", kIn, 5, 5},
    {"\\succeq", kIn, 5, 5},
    {"\\sim", kIn, 5, 5},
    {"\\simeq", kIn, 5, 5},
    {"\\ll", kIn, 5, 5},
    {"\\gg", kIn, 5, 5},
    {"\\asymp", kIn, 5, 5},
    {"\\approx", kIn, 5, 5},
    {"\\cong", kIn, 5, 5},
    {"\\doteq", kIn, 5, 5},
    {"\\propto", kIn, 5, 5},
    {"|-", kIn, 5, 5},
    {"|=", kIn, 5, 5},
    {"-|", kIn, 5, 5},
    {"=|", kIn, 5, 5},
    {":=", kIn, 5, 5},
    {"::=", kIn, 5, 5},
    {"\\cdot", kIn, 5, 14, true},
    {"@@", kIn, 6, 6, true},
    {":>", kIn, 7, 7},
    {"<:", kIn, 7, 7},
    {"\\", kIn, 8, 8},
    {"\\cap", kIn, 8, 8, true},
    {"\\cup", kIn, 8, 8, true},
    {"..", kIn, 9, 9},
    {"...", kIn, 9, 9},
    {"$", kIn, 9, 13, true},
    {"$$", kIn, 9, 13, true},
    {"??", kIn, 9, 13, true},
    {"##", kIn, 9, 13, true},
    {"!!", kIn, 9, 13},
    {"\\uplus", kIn, 9, 13, true},
    {"\\sqcap", kIn, 9, 13, true},
    {"\\sqcup", kIn, 9, 13, true},
    {"\\wr", kIn, 9, 14},
    {"+", kIn, 10, 10, true},
    {"++", kIn, 10, 10, true},
    {"\\oplus", kIn, 10, 10, true},
    {"%", kIn, 10, 11},
    {"%%", kIn, 10, 11, true},
    {"|", kIn, 10, 11, true},
    {"||", kIn, 10, 11, true},
    {"\\X", kIn, 10, 13, true},
    {"-", kIn, 11, 11, true},
    {"--", kIn, 11, 11, true},
    {"\\ominus", kIn, 11, 11, true},
    {"*", kIn, 13, 13, true},
    {"**", kIn, 13, 13, true},
    {"/", kIn, 13, 13},
    {"//", kIn, 13, 13},
    {"&", kIn, 13, 13, true},
    {"&&", kIn, 13, 13, true},
    {"\\div", kIn, 13, 13},
    {"\\o", kIn, 13, 13, true},
    {"\\odot", kIn, 13, 13, true},
    {"\\oslash", kIn, 13, 13},
    {"\\otimes", kIn, 13, 13, true},
    {"\\star", kIn, 13, 13, true},
    {"\\bullet", kIn, 13, 13, true},
    {"\\bigcirc", kIn, 13, 13, true},
    {"^", kIn, 14, 14},
    {"^^", kIn, 14, 14},
    {"'", kPost, 15, 15},
    {"^+", kPost, 15, 15},
    {"^*", kPost, 15, 15},
    {"^#", kPost, 15, 15},
};

constexpr struct {
  std::string_view spelling;
  std::string_view canonical;
} kSynonyms[] = {
    {"\\land", "/\\"},    {"\\lor", "\\/"},    {"\\lnot", "~"},       {"\\neg", "~"},
    {"\\equiv", "<=>"},   {"#", "/="},         {"\\neq", "/="},       {"\\leq", "<="},
    {"=<", "<="},         {"\\geq", ">="},     {"\\times", "\\X"},    {"\\intersect", "\\cap"},
    {"\\union", "\\cup"}, {"\\circ", "\\o"},   {"(+)", "\\oplus"},    {"(-)", "\\ominus"},
    {"(.)", "\\odot"},    {"(/)", "\\oslash"}, {"(\\X)", "\\otimes"}, {"(\\times)", "\\otimes"},
};

constexpr struct {
  std::string_view symbol;
  std::string_view ascii;
} kUnicode[] = {
    {"≜", "=="},
    {"∈", "\\in"},
    {"∉", "\\notin"},
    {"∧", "/\\"},
    {"∨", "\\/"},
    {"¬", "~"},
    {"⇒", "=>"},
    {"≡", "<=>"},
    {"⇔", "<=>"},
    {"≠", "/="},
    {"≤", "<="},
    {"≥", ">="},
    {"∪", "\\cup"},
    {"∩", "\\cap"},
    {"⊆", "\\subseteq"},
    {"⊂", "\\subset"},
    {"⊇", "\\supseteq"},
    {"⊃", "\\supset"},
    {"⊑", "\\sqsubseteq"},
    {"⊏", "\\sqsubset"},
    {"⊒", "\\sqsupseteq"},
    {"⊐", "\\sqsupset"},
    {"∀", "\\A"},
    {"∃", "\\E"},
    {"⟨", "<<"},
    {"⟩", ">>"},
    {"〈", "<<"},
    {"〉", ">>"},
    {"□", "[]"},
    {"◇", "<>"},
    {"⇝", "~>"},
    {"↝", "~>"},
    {"→", "->"},
    {"⟶", "->"},
    {"←", "<-"},
    {"⟵", "<-"},
    {"↦", "|->"},
    {"⟼", "|->"},
    {"⇸", "-+->"},
    {"×", "\\X"},
    {"∘", "\\o"},
    {"⊕", "\\oplus"},
    {"⊖", "\\ominus"},
    {"⊗", "\\otimes"},
    {"⊘", "\\oslash"},
    {"⊙", "\\odot"},
    {"÷", "\\div"},
    {"⋅", "\\cdot"},
    {"·", "\\cdot"},
    {"•", "\\bullet"},
    {"●", "\\bullet"},
    {"◯", "\\bigcirc"},
    {"○", "\\bigcirc"},
    {"⋆", "\\star"},
    {"★", "\\star"},
    {"⊎", "\\uplus"},
    {"⊓", "\\sqcap"},
    {"⊔", "\\sqcup"},
    {"≺", "\\prec"},
    {"≻", "\\succ"},
    {"≼", "\\preceq"},
    {"⪯", "\\preceq"},
    {"≽", "\\succeq"},
    {"⪰", "\\succeq"},
    {"∼", "\\sim"},
    {"≃", "\\simeq"},
    {"≈", "\\approx"},
    {"≅", "\\cong"},
    {"≪", "\\ll"},
    {"≫", "\\gg"},
    {"≍", "\\asymp"},
    {"≐", "\\doteq"},
    {"∝", "\\propto"},
    {"≀", "\\wr"},
    {"⊢", "|-"},
    {"⊣", "-|"},
    {"⊨", "|="},
    {"⫤", "=|"},
    {"‼", "!!"},
    {"⁇", "??"},
    {"‖", "||"},
    {"…", "..."},
    {"‥", ".."},
    {"⩴", "::="},
    {"≔", ":="},
    {"∷", "::"},
    {"⁺", "^+"},
    {"′", "'"},
    {"−", "-"},
    {"∖", "\\"},
    {"∗", "*"},
    {"ℕ", "Nat"},
    {"ℤ", "Int"},
    {"ℝ", "Real"},
};

}  // namespace

const OperatorSymbol* find_operator(std::string_view spelling) {
  static const std::unordered_map<std::string_view, const OperatorSymbol*> known = [] {
    std::unordered_map<std::string_view, const OperatorSymbol*> made;
    for (const OperatorSymbol& one : kOperators) made.emplace(one.text, &one);
    for (const auto& [spelt, text] : kSynonyms) made.emplace(spelt, made.at(text));
    return made;
  }();
  const auto found = known.find(spelling);
  return found == known.end() ? nullptr : found->second;
}

std::string_view canonical(std::string_view spelling) {
  const OperatorSymbol* found = find_operator(spelling);
  return found != nullptr ? found->text : spelling;
}

std::string_view ascii_of(std::string_view symbol) {
  static const std::unordered_map<std::string_view, std::string_view> known = [] {
    std::unordered_map<std::string_view, std::string_view> made;
    for (const auto& [spelt, ascii] : kUnicode) made.emplace(spelt, ascii);
    return made;
  }();
  const auto found = known.find(symbol);
  return found == known.end() ? std::string_view() : found->second;
}

}  // namespace ordeal::tla
