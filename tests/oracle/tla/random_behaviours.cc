#include "tests/oracle/tla/random_behaviours.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/rng.h"

namespace ordeal::oracle::naive {
namespace {

using Is = Behaviour::Is;

// A formula as text and as a tree.
struct Said {
  std::string text;
  Behaviour tree;
};

Behaviour no(Behaviour of) { return {.is = Is::kNot, .parts = {std::move(of)}}; }
Behaviour always(Behaviour of) { return {.is = Is::kAlways, .parts = {std::move(of)}}; }
Behaviour eventually(Behaviour of) { return {.is = Is::kEventually, .parts = {std::move(of)}}; }
Behaviour any(Behaviour a, Behaviour b) {
  return {.is = Is::kOr, .parts = {std::move(a), std::move(b)}};
}
Behaviour all(Behaviour a, Behaviour b) {
  return {.is = Is::kAnd, .parts = {std::move(a), std::move(b)}};
}

class BehaviourGenerator {
 public:
  explicit BehaviourGenerator(uint64_t seed) : rng_(seed) {}

  RandomBehaviours make() {
    declare();
    std::string spec = "Spec == Init /\\ [][Next]_vars";
    const uint64_t conjuncts = rng_.below(3);
    for (uint64_t i = 0; i < conjuncts; ++i) spec += " /\\ " + fairness();
    if (mark("assumed", one_in(6))) {
      const Said assumed = infinite();
      spec += " /\\ (" + assumed.text + ")";
      out_.assumed.push_back(assumed.tree);
    }
    const uint64_t claims = rng_.below(3) + 1;
    std::string text, properties;
    for (uint64_t i = 0; i < claims; ++i) {
      const Said said = formula(rng_.below(3) + 1);
      const std::string name = fmt::format("Live{}", i);
      text += fmt::format("{} == {}\n", name, said.text);
      properties += " " + name;
      out_.claims.push_back({name, said.tree});
    }
    out_.constraint = mark("constraint", one_in(6));
    out_.module += spec + "\n" + text + "====\n";
    out_.config = "SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nPROPERTIES" + properties + "\n";
    if (out_.constraint) out_.config += "CONSTRAINT Within\n";
    return out_;
  }

 private:
  bool one_in(uint64_t n) { return rng_.below(n) == 0; }
  bool mark(const char* what, bool is = true) {
    if (is) out_.features.insert(what);
    return is;
  }

  std::string value(size_t variable) { return std::to_string(rng_.below(variable == 0 ? 3 : 2)); }
  std::string name(size_t variable) const { return variable == 0 ? "x" : "y"; }

  std::string condition(const std::string& parameter) {
    const size_t variable = rng_.below(2);
    switch (rng_.below(4)) {
      case 0:
        return fmt::format("{} /= {}", name(variable), value(variable));
      case 1:
        return fmt::format("{} + {} < 3", name(0), parameter.empty() ? "y" : parameter);
      case 2:
        return fmt::format("{} = {}", name(variable),
                           parameter.empty() ? value(variable) : parameter);
      default:
        return fmt::format("{} = {} \\/ {} = {}", name(0), value(0), name(1), value(1));
    }
  }

  std::string change(size_t variable, const std::string& parameter) {
    const std::string v = name(variable);
    const char* const size = variable == 0 ? "3" : "2";
    switch (rng_.below(5)) {
      case 0:
        return fmt::format("{}' = ({} + 1) % {}", v, v, size);
      case 1:
        return fmt::format("{}' = {}", v, parameter.empty() ? value(variable) : parameter);
      case 2:
        return fmt::format("{}' \\in {{{}, {}}}", v, value(variable), value(variable));
      default:
        return fmt::format("UNCHANGED {}", v);
    }
  }

  std::string action(const std::string& parameter) {
    return fmt::format("/\\ ({}) /\\ {} /\\ {} /\\ s' = {{x'}}", condition(parameter),
                       change(0, parameter), change(1, parameter));
  }

  void declare() {
    out_.module =
        "---- MODULE Spec ----\nEXTENDS Naturals\nVARIABLES x, y, s\nvars == <<x, y, s>>\nTwo == "
        "0..1\n"
        "Same(F) == F\nOften(F) == []<>F\n"
        "Within == x + y < 3\n"
        "Abs == INSTANCE Abstract WITH a <- (x + y) % 2\n"
        "CanUp == (x + y) % 2 = 0\nGoesUp == CanUp /\\ (x' + y') % 2 = 1\n"
        "CanDown == (x + y) % 2 = 1\nGoesDown == CanDown /\\ (x' + y') % 2 = 0\n";
    out_.instantiated =
        "---- MODULE Abstract ----\nEXTENDS Naturals\nVARIABLE a\n"
        "Up == a = 0 /\\ a' = 1\nDown == a = 1 /\\ a' = 0\n"
        "WeakUp == WF_a(Up)\nStrongUp == SF_a(Up)\nWeakDown == WF_a(Down)\n"
        "StrongDown == SF_a(Down)\n====\n";
    out_.module +=
        fmt::format("Init == x \\in {{{}, {}}} /\\ y = 0 /\\ s = {{x}}\n", value(0), value(0));
    std::string next = "Next == ";
    actions_ = rng_.below(3) + 2;
    for (uint64_t i = 0; i < actions_; ++i) {
      out_.module += fmt::format("A{} == {}\n", i, action(""));
      next += fmt::format("{}A{}", i == 0 ? "" : " \\/ ", i);
    }
    out_.module += fmt::format("B(p) == {}\nB_0 == B(0)\nB_1 == B(1)\n", action("p"));
    if (one_in(2)) next += " \\/ \\E p \\in Two : B(p)";
    for (int i = 0; i < 3; ++i) out_.module += fmt::format("P{} == {}\n", i, condition(""));
    out_.module += fmt::format("Q(p) == {}\nQ_0 == Q(0)\nQ_1 == Q(1)\n", condition("p"));
    out_.module += "R(o) == s = o\nR_0 == s = {0}\nR_1 == s = {1}\n" + next + "\n";
  }

  // --- Formulas. Within \A and \E one name is bound, and `p_` is its value in the tree.
  Said state() {
    if (p_ >= 0 && objects_) return {"R(o)", {.is = Is::kState, .name = named("R")}};
    if (p_ >= 0 && !one_in(3)) return {"Q(p)", {.is = Is::kState, .name = named("Q")}};
    const std::string name = fmt::format("P{}", rng_.below(3));
    if (one_in(6)) return {"(~" + name + ")", no({.is = Is::kState, .name = name})};
    return {name, {.is = Is::kState, .name = name}};
  }

  std::string named(const char* what) const { return fmt::format("{}_{}", what, p_); }

  // The action, and <<A>>_v in the tree.
  Said action_and_subscript(std::string& subscript) {
    Said out;
    out.tree.is = Is::kStep;
    switch (rng_.below(4)) {
      case 0:
        subscript = mark("a part of the variables as subscript") ? "x" : "";
        out.tree.subscript = {0};
        break;
      case 1:
        subscript = "y";
        out.tree.subscript = {1};
        break;
      default:
        subscript = "vars";
        out.tree.subscript = {0, 1};
    }
    if (p_ >= 0 && !objects_ && !one_in(4)) {
      out.text = "B(p)";
      out.tree.name = named("B");
    } else if (one_in(5)) {
      out.text = out.tree.name = "Next";
    } else {
      out.text = out.tree.name = fmt::format("A{}", rng_.below(actions_));
    }
    return out;
  }

  Said step() {
    std::string subscript;
    Said out = action_and_subscript(subscript);
    out.text = fmt::format("<<{}>>_{}", out.text, subscript);
    return out;
  }

  Said fair(bool strong, Behaviour* taken) {
    std::string subscript;
    const Said action = action_and_subscript(subscript);
    if (taken != nullptr) *taken = action.tree;
    // ENABLED of it is asked of the state: a definition that the tree cannot name is not needed, as
    // the naive checker tells by looking for a step.
    return {fmt::format("{}_{}({})", strong ? "SF" : "WF", subscript, action.text), action.tree};
  }

  std::string fairness() {
    const bool strong = mark("SF", one_in(2));
    if (!strong) mark("WF");
    if (mark("\\A of fairness", one_in(3))) {
      // The same choices for each element.
      const Rng before = rng_;
      std::string text;
      for (p_ = 0; p_ < 2; ++p_) {
        rng_ = before;
        Behaviour taken;
        text = fair(strong, &taken).text;
        out_.fair.push_back({taken, strong});
      }
      p_ = -1;
      return fmt::format("(\\A p \\in Two : {})", text);
    }
    Behaviour taken;
    const std::string text = fair(strong, &taken).text;
    out_.fair.push_back({taken, strong});
    return text;
  }

  // What comes again and again, or for ever.
  Said infinite() {
    switch (rng_.below(4)) {
      case 0: {
        const Said what = state();
        mark("[]<>");
        return {"[]<>" + what.text, always(eventually(what.tree))};
      }
      case 1: {
        const Said what = state();
        mark("<>[]");
        return {"<>[]" + what.text, eventually(always(what.tree))};
      }
      case 2: {
        const Said what = step();
        mark("[]<><<A>>_v");
        return {"[]<>" + what.text, always(eventually(what.tree))};
      }
      default: {
        std::string subscript;
        const Said action = action_and_subscript(subscript);
        mark("<>[][A]_v");
        // A step that changes v and is none of A never comes again.
        return {fmt::format("<>[][{}]_{}", action.text, subscript),
                eventually(
                    always(any(action.tree, {.is = Is::kNot,
                                             .parts = {{.is = Is::kStep,
                                                        .name = "TRUE",
                                                        .subscript = action.tree.subscript}}})))};
      }
    }
  }

  Said simple() {
    switch (rng_.below(7)) {
      case 0: {
        const Said what = state();
        return {"<>" + what.text, eventually(what.tree)};
      }
      case 1: {
        const Said from = state(), to = state();
        mark("~>");
        if (one_in(2)) {
          return {fmt::format("({} ~> {})", from.text, to.text),
                  always(any(no(from.tree), eventually(to.tree)))};
        }
        return {fmt::format("[]({} => <>{})", from.text, to.text),
                always(any(no(from.tree), eventually(to.tree)))};
      }
      case 2: {
        const Said what = step();
        mark("<><<A>>_v");
        return {"<>" + what.text, eventually(what.tree)};
      }
      default:
        return infinite();
    }
  }

  Said formula(uint64_t depth) {
    if (depth == 0) return simple();
    const auto inner = [&] { return formula(depth - 1); };
    switch (rng_.below(11)) {
      case 0: {
        const Said a = inner();
        mark("~");
        return {"~(" + a.text + ")", no(a.tree)};
      }
      case 1: {
        const Said a = inner(), b = inner();
        mark("=>");
        return {fmt::format("(({}) => ({}))", a.text, b.text), any(no(a.tree), b.tree)};
      }
      case 2: {
        const Said a = inner(), b = inner();
        return {fmt::format("(({}) \\/ ({}))", a.text, b.text), any(a.tree, b.tree)};
      }
      case 3: {
        const Said a = inner(), b = inner();
        return {fmt::format("(({}) /\\ ({}))", a.text, b.text), all(a.tree, b.tree)};
      }
      case 4: {
        if (p_ >= 0) return simple();
        const bool is_all = mark("\\A", one_in(2));
        if (!is_all) mark("\\E");
        objects_ = mark("a name for a set", one_in(3));
        const Rng before = rng_;
        Said said[2];
        for (p_ = 0; p_ < 2; ++p_) {
          rng_ = before;
          said[p_] = inner();
        }
        p_ = -1;
        const char* const of = objects_ ? "o \\in {{0}, {1}}" : "p \\in Two";
        objects_ = false;
        return {fmt::format("(\\{} {} : {})", is_all ? "A" : "E", of, said[0].text),
                is_all ? all(said[0].tree, said[1].tree) : any(said[0].tree, said[1].tree)};
      }
      case 5: {
        const Said a = inner();
        mark("LET");
        return {fmt::format("(LET L == {} IN L)", a.text), a.tree};
      }
      case 6: {
        const Said a = inner();
        mark("an argument");
        if (one_in(2)) return {fmt::format("Same({})", a.text), a.tree};
        return {fmt::format("Often({})", a.text), always(eventually(a.tree))};
      }
      case 7: {
        const bool strong = one_in(2);
        mark("fairness in a formula");
        Behaviour taken;
        Said said = fair(strong, &taken);
        Behaviour can{
            .is = Is::kState, .name = "ENABLED " + taken.name, .subscript = taken.subscript};
        if (mark("fairness of an instance", one_in(3))) {
          const std::string way = one_in(2) ? "Up" : "Down";
          said.text = fmt::format("Abs!{}{}", strong ? "Strong" : "Weak", way);
          taken = {.is = Is::kStep, .name = "Goes" + way, .subscript = {0, 1}};
          can = {.is = Is::kState, .name = "Can" + way};
        }
        const Said then = inner();
        const Behaviour tree = strong ? any(eventually(always(no(can))), always(eventually(taken)))
                                      : always(eventually(any(no(can), taken)));
        return {fmt::format("({} => ({}))", said.text, then.text), any(no(tree), then.tree)};
      }
      case 8: {
        const Said test = state(), a = inner(), b = inner();
        mark("IF");
        return {fmt::format("(IF {} THEN {} ELSE {})", test.text, a.text, b.text),
                any(all(test.tree, a.tree), all(no(test.tree), b.tree))};
      }
      case 9: {
        const Said test = state(), a = inner();
        mark("nested");
        return {fmt::format("[]({} => {})", test.text, a.text), always(any(no(test.tree), a.tree))};
      }
      default:
        return simple();
    }
  }

  Rng rng_;
  RandomBehaviours out_;
  uint64_t actions_ = 0;
  int p_ = -1;
  bool objects_ = false;  // the name that is bound is `o`, a set
};

}  // namespace

RandomBehaviours random_behaviours(uint64_t seed) { return BehaviourGenerator(seed).make(); }

const std::vector<std::string>& all_behaviour_features() {
  static const std::vector<std::string> kAll = {"assumed",
                                                "constraint",
                                                "WF",
                                                "SF",
                                                "\\A of fairness",
                                                "[]<>",
                                                "<>[]",
                                                "[]<><<A>>_v",
                                                "<>[][A]_v",
                                                "<><<A>>_v",
                                                "~>",
                                                "~",
                                                "=>",
                                                "\\A",
                                                "\\E",
                                                "LET",
                                                "an argument",
                                                "fairness in a formula",
                                                "fairness of an instance",
                                                "a name for a set",
                                                "IF",
                                                "nested",
                                                "a part of the variables as subscript"};
  return kAll;
}

}  // namespace ordeal::oracle::naive
