// Operators of the language itself.
#include "language/tla/library/arguments.h"
#include "language/tla/library/modules.h"

namespace ordeal::tla {
namespace {

Value checked_contains(BuiltinCall& call, const char* name) {
  if (!is_set(call[1])) fail_argument(call, name, 1, "a set");
  return Value::boolean(contains(call.heap(), call[1], call[0]));
}

const Builtin kLanguageOperators[] = {
    {"=", "00", true,
     [](BuiltinCall& call) { return Value::boolean(equal(call.heap(), call[0], call[1])); }},
    {"/=", "00", true,
     [](BuiltinCall& call) { return Value::boolean(!equal(call.heap(), call[0], call[1])); }},
    {"\\in", "00", true, [](BuiltinCall& call) { return checked_contains(call, "\\in"); }},
    {"\\notin", "00", true,
     [](BuiltinCall& call) { return Value::boolean(!checked_contains(call, "\\notin").truth()); }},
    {"\\cup", "00", true, [](BuiltinCall& call) { return set_cup(call.heap(), call[0], call[1]); }},
    {"\\cap", "00", true, [](BuiltinCall& call) { return set_cap(call.heap(), call[0], call[1]); }},
    {"\\", "00", true, [](BuiltinCall& call) { return set_minus(call.heap(), call[0], call[1]); }},
    {"\\subseteq", "00", true,
     [](BuiltinCall& call) {
       need_set(call, "\\subseteq", 0);
       need_set(call, "\\subseteq", 1);
       return Value::boolean(is_subset(call.heap(), call[0], call[1]));
     }},
    {"SUBSET", "0", true,
     [](BuiltinCall& call) {
       need_set(call, "SUBSET", 0);
       return make_lazy_set(call.heap(), ObjectKind::kSubset, call[0]);
     }},
    {"UNION", "0", true, [](BuiltinCall& call) { return big_union(call.heap(), call[0]); }},
    {"DOMAIN", "0", true, [](BuiltinCall& call) { return domain(call.heap(), call[0]); }},
    {"BOOLEAN", "", true,
     [](BuiltinCall& call) {
       const Value both[] = {kFalse, kTrue};
       return make_sorted_set(call.heap(), both);
     }},
    {"STRING", "", true, [](BuiltinCall&) { return make_infinite(Infinite::kStrings); }},
    {"TRUE", "", true, [](BuiltinCall&) { return kTrue; }},
    {"FALSE", "", true, [](BuiltinCall&) { return kFalse; }},
};

}  // namespace

std::span<const Builtin> language_operators() { return kLanguageOperators; }

}  // namespace ordeal::tla
