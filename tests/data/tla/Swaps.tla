---- MODULE Swaps ----
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANTS P, T_a, T_b, Nat2
VARIABLES m, h
S == [P -> 0..1]
Init == m \in S /\ h = [p \in P |-> <<>>]
Up(p) == m[p] = 0 /\ m' = [m EXCEPT ![p] = 1] /\ h' = [h EXCEPT ![p] = IF Len(@) < 1 THEN Append(@, T_a) ELSE @]
Dn(p) == m[p] = 1 /\ m' = [q \in P |-> IF q = p THEN 0 ELSE m[q]] /\ h' = [h EXCEPT ![p] = IF @ = <<T_a>> THEN @ \o <<T_b>> ELSE @]
Swap == \E f \in {g \in [P -> P] : \A a, b \in P : a # b => g[a] # g[b]} : m' = [p \in P |-> m[f[p]]] /\ h' = h
Next == (\E p \in P : Up(p) \/ Dn(p)) \/ Swap
Sym == Permutations(P)
Count(f) == LET RECURSIVE C(_) C(s) == IF s = {} THEN 0 ELSE LET e == CHOOSE e \in s : TRUE IN f[e] + C(s \ {e}) IN C(DOMAIN f)
Inv == Count(m) \in 0..Cardinality(P) /\ Nat2 = {0, 1} /\ \A p \in P : h[p] \in Seq({T_a, T_b})
View == <<m, [p \in P |-> Len(h[p])]>>
====
