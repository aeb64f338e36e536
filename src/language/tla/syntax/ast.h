// A TLA+ module as it is written: what the parser makes and what everything else reads.
//
// Synonyms are one already: `\land` is `/\`, `\leq` and `=<` are `<=`, `#` and `\neq` are `/=`,
// `\union` is `\cup`, `<=>` and `\equiv` are `<=>`, `\o` and `\circ` are `\o`, … (canonical() in
// operators.h). Labels and proofs are gone. Nothing here knows what a name means.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ordeal::tla {

// A piece of a source file. Lines and columns begin at 1; the end is the last character.
struct Place {
  uint32_t file = 0;  // number of the file in Sources
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t end_line = 0;
  uint32_t end_column = 0;
};

enum class ExprKind : uint8_t {
  kNumber,       // text: digits as written, also \b101, \o17, \hff; or a decimal "1.5"
  kString,       // text: the characters, without quotes and with escapes resolved
  kAt,           // @
  kApply,        // an operator with its arguments, or a name without any: see below
  kConjunction,  // children: two or more, or one in a list of one item
  kDisjunction,
  kSet,             // { e1, …, en }
  kTuple,           // << e1, …, en >>
  kRecord,          // [ a |-> e1, … ]: names and children
  kRecordSet,       // [ a : e1, … ]: names and children
  kFunctionSet,     // [ S -> T ]: two children
  kFunction,        // [ x \in S |-> e ]: bounds, one child
  kFunctionApply,   // f[e1, …, en]: children: f, e1, …, en
  kExcept,          // [ f EXCEPT !.a[i] = e, … ]: one child f, updates
  kField,           // e.name: one child, text
  kFilter,          // { x \in S : p }: one bound, one child
  kMap,             // { e : x \in S, … }: bounds, one child
  kChoose,          // CHOOSE x \in S : p; without \in the bound has no set
  kForAll,          // \A: bounds, one child; unbounded where bounds have no set
  kExists,          // \E
  kTemporalForAll,  // \AA: bounds without sets, one child
  kTemporalExists,  // \EE
  kIf,              // three children
  kCase,            // children: p1, e1, p2, e2, …; with OTHER one more at the end
  kLet,             // units: the definitions, one child
  kLambda,          // params, one child
  kBoxAction,       // [A]_v: two children
  kAngleAction,     // <<A>>_v: two children
  kWeakFairness,    // WF_v(A): children v, A
  kStrongFairness,  // SF_v(A)
};

struct Expr;
struct Unit;
using ExprRef = std::unique_ptr<Expr>;

// `x \in S`, `x, y \in S`, `<<x, y>> \in S`; without a set in unbounded quantifiers.
struct Bound {
  std::vector<std::string> names;
  std::vector<Place> places;  // of the names
  bool is_tuple = false;      // names are the components of one element
  ExprRef set;                // null: unbounded
};

// A parameter of a definition or of LAMBDA: `x`, `F(_, _)`, `_ + _`.
struct Param {
  std::string name;
  uint32_t arity = 0;  // 0: a value
  Place place;
};

// One step of a path in EXCEPT: `!.name` or `![e1, …, en]`.
struct ExceptStep {
  bool is_field = false;
  std::string field;
  std::vector<ExprRef> indices;
  Place place;
};

struct ExceptUpdate {
  std::vector<ExceptStep> path;
  ExprRef value;
};

// `A(x)!B!` in front of a name: an instance, with the arguments of a parametrised one.
struct Qualifier {
  std::string name;
  std::vector<ExprRef> arguments;
  Place place;
};

// A part of a definition's body by its position, as in `Inv!2`, `Thm!:` or `P!<<!(x)!@`.
struct Selector {
  std::string text;                // "2", ":", "<<", ">>", "@", "(" with arguments, or a label
  std::vector<ExprRef> arguments;  // of "(" and of a label
  Place place;
};

// kApply: text is the operator: a name ("Init", "Append"), or a symbol ("+", "\\cup", "'", "=",
// "\\in", "..", "[]", "<>", "~>", "-+->", "\\X", "^+"). Unary minus is "-.". Words that are
// operators are their own names: "UNCHANGED", "ENABLED", "SUBSET", "UNION", "DOMAIN", "TRUE",
// "FALSE", "BOOLEAN", "STRING". `~` is "~"; `/\` and `\/` between two operands are kConjunction and
// kDisjunction (as lists), "=>" and "<=>" are kApply. `S \X T \X U` is one kApply with three
// children. An operator that is given as an argument is a kApply with no children, whose arity the
// resolver knows ("Foo" or "+"); a LAMBDA given so is a kLambda.
struct Expr {
  ExprKind kind = ExprKind::kNumber;
  bool parenthesised = false;  // stood in parentheses of its own
  bool by_list = false;        // kConjunction, kDisjunction: a bulleted list
  uint32_t height = 1;         // of the tree below, this included: at most 1,000
  Place place;                 // from the first to the last character
  Place name_place;            // kApply, kField: of the operator or field itself
  std::string text;
  std::vector<Qualifier> qualifiers;  // kApply
  std::vector<Selector> selectors;    // kApply: mostly none
  std::vector<ExprRef> children;
  std::vector<std::string> names;  // kRecord, kRecordSet: fields
  std::vector<Place> name_places;
  std::vector<Bound> bounds;
  std::vector<ExceptUpdate> updates;
  std::vector<Param> params;  // kLambda
  std::vector<Unit> units;    // kLet: definitions, instances and RECURSIVE declarations
};

struct Module;

struct Substitution {
  std::string name;  // a constant, variable or operator symbol of the instantiated module
  ExprRef value;     // an expression; an operator by its name, a symbol or a LAMBDA
  Place place;
};

enum class UnitKind : uint8_t {
  kConstants,   // params: with arities
  kVariables,   // params
  kRecursive,   // params: with arities
  kOperator,    // name(params) == body; also `x + y ==`, `-. x ==`, `x ^+ ==`
  kFunction,    // name[bounds] == body
  kInstance,    // INSTANCE module WITH …, or name(params) == INSTANCE module WITH …
  kAssumption,  // ASSUME, AXIOM: body; a name where it has one
  kTheorem,     // THEOREM, LEMMA, …: a name where it has one; body where it is an expression
  kModule,      // a module within the module
};

struct Unit {
  UnitKind kind = UnitKind::kOperator;
  bool local = false;
  Place place;
  Place name_place;
  std::string name;
  std::vector<Param> params;
  std::vector<Bound> bounds;  // kFunction
  ExprRef body;
  std::string module;  // kInstance
  Place module_place;
  std::vector<Substitution> substitutions;
  std::unique_ptr<Module> inner;  // kModule
};

struct Module {
  std::string name;
  Place place;
  std::vector<std::string> extends;
  std::vector<Place> extends_places;
  std::vector<Unit> units;  // in the order of the text
};

}  // namespace ordeal::tla
