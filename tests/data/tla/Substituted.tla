---- MODULE Substituted ----
EXTENDS Integers, FiniteSets, TLC
CONSTANTS F(_, _), S
VARIABLE x
ASSUME F(1, 2) = 3
Add(a, b) == a + b
Sq == {<<a, b>> \in S \X S : a # b}
R == [S -> BOOLEAN]
T == [a : S, b : {1}]
Init == x \in Sq
Step(Op1(_), v) == Op1(v)
Next == /\ \E s \in S : x' = Step(LAMBDA z : <<z, s>>, x[1])
        /\ x' \in Sq
Inv == x \in Sq /\ Cardinality(R) = 2 ^ Cardinality(S) /\ \A r \in T : r.b = 1
Perm == Permutations(S)
====
