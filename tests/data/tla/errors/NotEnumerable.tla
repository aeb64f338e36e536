---- MODULE NotEnumerable ----
EXTENDS Naturals
VARIABLE x
Limit(S) == \E n \in S : n > x /\ x' = n
Init == x = 0
Next == Limit(Nat)
====
