// The modules of the proof system: what specifications name besides proofs, which nobody runs here.
#include "language/tla/library/modules.h"

namespace ordeal::tla {

// What proofs call to say who should find them.
const std::string_view kTlapsText = R"tla(---- MODULE TLAPS ----
SMT == TRUE
SMTT(seconds) == TRUE
CVC3 == TRUE
CVC3T(seconds) == TRUE
CVC4 == TRUE
CVC4T(seconds) == TRUE
CVC5 == TRUE
CVC5T(seconds) == TRUE
Yices == TRUE
YicesT(seconds) == TRUE
veriT == TRUE
veriTT(seconds) == TRUE
Z3 == TRUE
Z3T(seconds) == TRUE
Spass == TRUE
SpassT(seconds) == TRUE
Zenon == TRUE
ZenonT(seconds) == TRUE
SlowZenon == TRUE
SlowerZenon == TRUE
VerySlowZenon == TRUE
SlowestZenon == TRUE
Isa == TRUE
IsaT(seconds) == TRUE
IsaM(tactic) == TRUE
IsaMT(tactic, seconds) == TRUE
Auto == TRUE
AutoBlast == TRUE
Force == TRUE
Fast == TRUE
Blast == TRUE
Clarsimp == TRUE
Simplification == TRUE
AllProvers == TRUE
AllProversT(seconds) == TRUE
AllSMT == TRUE
AllSMTT(seconds) == TRUE
AllIsa == TRUE
AllIsaT(seconds) == TRUE
SimpleArithmetic == TRUE
SimplifyAndSolve == TRUE
IsaWithSetExtensionality == TRUE
SetExtensionality == TRUE
NoSetContainsEverything == TRUE
Cooper == TRUE
LS4 == TRUE
PTL == TRUE
PropositionalTemporalLogic == TRUE
ExpandENABLED == TRUE
ExpandCdot == TRUE
AutoUSE == TRUE
Lambdify == TRUE
ENABLEDaxioms == TRUE
ENABLEDrewrites == TRUE
ENABLEDrules == TRUE
LevelComparison == TRUE
Trivial == TRUE
RuleTLA1 == TRUE
RuleTLA2 == TRUE
RuleINV1 == TRUE
RuleINV2 == TRUE
RuleWF1 == TRUE
RuleSF1 == TRUE
====)tla";

const std::string_view kNaturalsInductionText = R"tla(---- MODULE NaturalsInduction ----
EXTENDS Integers, TLAPS

NatInductiveDefConclusion(f, f0, Def(_, _)) ==
  f = [i \in Nat |-> IF i = 0 THEN f0 ELSE Def(f[i - 1], i)]
NatInductiveDefHypothesis(f, f0, Def(_, _)) ==
  f = CHOOSE g : NatInductiveDefConclusion(g, f0, Def)
FiniteNatInductiveDefConclusion(f, c, Def(_, _), m, n) ==
  f = [i \in m..n |-> IF i = m THEN c ELSE Def(f[i - 1], i)]
FiniteNatInductiveDefHypothesis(f, c, Def(_, _), m, n) ==
  f = CHOOSE g : FiniteNatInductiveDefConclusion(g, c, Def, m, n)
====)tla";

const std::string_view kWellFoundedInductionText = R"tla(---- MODULE WellFoundedInduction ----
EXTENDS NaturalsInduction, Sequences

\* An order is the set of its pairs: <<x, y>> where x is below y.
IsTransitivelyClosedOn(R, S) ==
  \A i, j, k \in S : <<i, j>> \in R /\ <<j, k>> \in R => <<i, k>> \in R
IsWellFoundedOn(R, S) ==
  LET edges == {p \in S \X S : p \in R}
      \* What is left once everything that is above nothing has been taken away, again and again.
      rest[T \in SUBSET S] ==
        LET kept == {x \in T : \E y \in T : <<y, x>> \in edges}
        IN  IF kept = T THEN T ELSE rest[kept]
  IN  rest[S] = {}
SetLessThan(x, R, S) == {y \in S : <<y, x>> \in R}
WFDefOn(R, S, Def(_, _)) ==
  \A f, g : \A x \in S :
    (\A y \in SetLessThan(x, R, S) : f[y] = g[y]) => Def(f, x) = Def(g, x)
OpDefinesFcn(f, S, Def(_, _)) == f = CHOOSE g : g = [x \in S |-> Def(g, x)]
WFInductiveDefines(f, S, Def(_, _)) == f = [x \in S |-> Def(f, x)]
WFInductiveUnique(S, Def(_, _)) ==
  \A g, h : WFInductiveDefines(g, S, Def) /\ WFInductiveDefines(h, S, Def) => g = h
TransitiveClosureOn(R, S) ==
  {p \in S \X S :
     \A U \in SUBSET (S \X S) : IsTransitivelyClosedOn(U, S) /\ R \subseteq U => p \in U}
OpToRel(below(_, _), S) == {p \in S \X S : below(p[1], p[2])}
PreImage(f(_), S, R) == {p \in S \X S : <<f(p[1]), f(p[2])>> \in R}
LexPairOrdering(R1, R2, S1, S2) ==
  {p \in (S1 \X S2) \X (S1 \X S2) :
     <<p[1][1], p[2][1]>> \in R1 \/ (p[1][1] = p[2][1] /\ <<p[1][2], p[2][2]>> \in R2)}
LexProductOrdering(R, S, n) ==
  {p \in [1..n -> S] \X [1..n -> S] :
     \E j \in 1..n : <<p[1][j], p[2][j]>> \in R /\ \A i \in 1..(j - 1) : p[1][i] = p[2][i]}
StrictSubsetOrdering(S) ==
  {p \in (SUBSET S) \X (SUBSET S) : p[1] \subseteq p[2] /\ p[1] # p[2]}
====)tla";

const std::string_view kFunctionTheoremsText = R"tla(---- MODULE FunctionTheorems ----
EXTENDS Functions, FiniteSets, WellFoundedInduction
====)tla";

const std::string_view kFiniteSetTheoremsText = R"tla(---- MODULE FiniteSetTheorems ----
EXTENDS FiniteSets, Sequences, FunctionTheorems, WellFoundedInduction
====)tla";

const std::string_view kSequenceTheoremsText = R"tla(---- MODULE SequenceTheorems ----
EXTENDS Sequences, Functions, WellFoundedInduction

TailInductiveDefConclusion(f, S, f0, Def(_, _)) ==
  f = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(f[Tail(s)], s)]
TailInductiveDefHypothesis(f, S, f0, Def(_, _)) ==
  f = CHOOSE g : TailInductiveDefConclusion(g, S, f0, Def)
FrontInductiveDefConclusion(f, S, f0, Def(_, _)) ==
  f = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(f[SubSeq(s, 1, Len(s) - 1)], s)]
FrontInductiveDefHypothesis(f, S, f0, Def(_, _)) ==
  f = CHOOSE g : FrontInductiveDefConclusion(g, S, f0, Def)
====)tla";

const std::string_view kSequencesExtTheoremsText = R"tla(---- MODULE SequencesExtTheorems ----
EXTENDS SequencesExt, SequenceTheorems
====)tla";

const std::string_view kFiniteSetsExtTheoremsText = R"tla(---- MODULE FiniteSetsExtTheorems ----
EXTENDS FiniteSetsExt, FiniteSetTheorems
====)tla";

const std::string_view kFoldsTheoremsText = R"tla(---- MODULE FoldsTheorems ----
EXTENDS Folds, FiniteSetTheorems
====)tla";

const std::string_view kGraphTheoremsText = R"tla(---- MODULE GraphTheorems ----
EXTENDS Graphs, FiniteSetTheorems
====)tla";

const std::string_view kQuorumTheoremsText = R"tla(---- MODULE QuorumTheorems ----
EXTENDS Quorum, FiniteSetTheorems
====)tla";

const std::string_view kBagsTheoremsText = R"tla(---- MODULE BagsTheorems ----
EXTENDS Bags, FiniteSetTheorems
====)tla";

}  // namespace ordeal::tla
