// What is defined in TLA+: modules about functions, sets, sequences and bags.
#include "language/tla/library/modules.h"

namespace ordeal::tla {

const std::string_view kFoldsText = R"tla(---- MODULE Folds ----
====)tla";

const std::string_view kFunctionsText = R"tla(---- MODULE Functions ----
EXTENDS Integers, Folds
LOCAL INSTANCE FiniteSets

IsRestriction(narrow, wide) ==
  /\ DOMAIN narrow \subseteq DOMAIN wide
  /\ \A x \in DOMAIN narrow : narrow[x] = wide[x]

Injection(S, T) == {f \in [S -> T] : IsInjective(f)}
Surjection(S, T) == {f \in [S -> T] : Range(f) = T}
Bijection(S, T) == {f \in [S -> T] : IsInjective(f) /\ Range(f) = T}

\* Of finite sets the numbers of their elements tell.
ExistsInjection(S, T) == Cardinality(S) <= Cardinality(T)
ExistsSurjection(S, T) == Cardinality(S) >= Cardinality(T) /\ (T = {} => S = {})
ExistsBijection(S, T) == Cardinality(S) = Cardinality(T)
====)tla";

const std::string_view kFiniteSetsExtText = R"tla(---- MODULE FiniteSetsExt ----
EXTENDS Integers, FiniteSets, Folds, Functions

FlattenSet(sets) == UNION sets
SymDiff(A, B) == (A \ B) \cup (B \ A)
Choices(sets) == {Range(f) : f \in {g \in [sets -> UNION sets] : \A s \in sets : g[s] \in s}}
ChooseUnique(S, P(_)) == CHOOSE x \in S : P(x) /\ \A y \in S : P(y) => x = y
====)tla";

const std::string_view kSequencesExtText = R"tla(---- MODULE SequencesExt ----
EXTENDS Sequences, Naturals, FiniteSets, FiniteSetsExt, Folds, Functions, Bags, TLC

TupleOf(S, n) == [1..n -> S]
SeqOf(S, n) == UNION {[1..m -> S] : m \in 0..n}
BoundedSeq(S, n) == SeqOf(S, n)

RemoveAt(s, i) == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))
Cons(e, s) == <<e>> \o s
Snoc(e, s) == Append(s, e)
Front(s) == SubSeq(s, 1, Len(s) - 1)

IsStrictPrefix(s, t) == IsPrefix(s, t) /\ s # t
IsStrictSuffix(s, t) == IsSuffix(s, t) /\ s # t
Prefixes(s) == {SubSeq(s, 1, n) : n \in 0..Len(s)}
CommonPrefixes(S) == IF S = {} THEN {} ELSE Prefixes(LongestCommonPrefix(S))
SubSeqs(s) == {SubSeq(s, i + 1, j) : i, j \in 0..Len(s)}
ReplaceSubSeqAt(i, new, old, s) ==
  SubSeq(s, 1, i - 1) \o new \o SubSeq(s, i + Len(old), Len(s))

SeqMod(a, b) == IF a % b = 0 THEN b ELSE a % b
====)tla";

const std::string_view kBagsExtText = R"tla(---- MODULE BagsExt ----
LOCAL INSTANCE Integers

SumBag(B) == FoldBag(LAMBDA x, y : x + y, 0, B)
ProductBag(B) == FoldBag(LAMBDA x, y : x * y, 1, B)
====)tla";

const std::string_view kCombinatoricsText = R"tla(---- MODULE Combinatorics ----
EXTENDS Naturals

factorial[n \in Nat] == IF n = 0 THEN 1 ELSE n * factorial[n - 1]
====)tla";

const std::string_view kDyadicRationalsText = R"tla(---- MODULE DyadicRationals ----
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC

LOCAL Fraction(n, d) == [num |-> n, den |-> d]
LOCAL Reduced(p) ==
  LET half[q \in [num : Int, den : Nat]] ==
        IF q.num % 2 = 0 /\ q.den % 2 = 0 THEN half[Fraction(q.num \div 2, q.den \div 2)] ELSE q
  IN  IF p.num = 0 THEN Fraction(0, 1) ELSE half[p]

Zero == Fraction(0, 1)
One == Fraction(1, 1)
IsDyadicRational(r) == \E i \in 0..r.den : 2 ^ i = r.den
Add(p, q) ==
  LET common == IF p.den >= q.den THEN p.den ELSE q.den
  IN  IF p = Zero THEN q
      ELSE Reduced(Fraction(p.num * (common \div p.den) + q.num * (common \div q.den), common))
Half(p) == Reduced(Fraction(p.num, 2 * p.den))
PrettyPrint(p) ==
  IF p = Zero THEN "0"
  ELSE IF p = One THEN "1" ELSE ToString(p.num) \o "/" \o ToString(p.den)
====)tla";

const std::string_view kQuorumText = R"tla(---- MODULE Quorum ----
QuorumSystem(S) ==
  {Q \in SUBSET SUBSET S :
     /\ Q # {}
     /\ \A a, b \in Q : a \cap b # {}
     /\ \A a \in Q, b \in SUBSET S : a \subseteq b => b \in Q}
====)tla";

const std::string_view kVectorClocksText = R"tla(---- MODULE VectorClocks ----
EXTENDS Naturals, Sequences, Functions

\* No event is told before one that its clock knows of.
IsCausalOrder(log, clock(_)) ==
  LET time(i, host) == IF host \in DOMAIN clock(log[i]) THEN clock(log[i])[host] ELSE 0
      hosts(i, j) == DOMAIN clock(log[i]) \cup DOMAIN clock(log[j])
      before(i, j) ==
        /\ \A h \in hosts(i, j) : time(i, h) <= time(j, h)
        /\ \E h \in hosts(i, j) : time(i, h) < time(j, h)
      apart(i, j) ==
        \E g, h \in hosts(i, j) : time(i, g) < time(j, g) /\ time(i, h) > time(j, h)
  IN  \A j \in 1..Len(log) : \A i \in 1..(j - 1) : before(i, j) \/ apart(i, j)
====)tla";

}  // namespace ordeal::tla
