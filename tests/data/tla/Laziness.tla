---- MODULE Laziness ----
EXTENDS Naturals, Sequences, FiniteSets
VARIABLES x, y, z
vars == <<x, y, z>>
Init == x = 0 /\ y = 0 /\ z = <<>>
A == LET nx == x' IN /\ x' \in {0, 1, 2} /\ y' = nx + 1 /\ nx # x /\ z' = z
Op(v) == v' = v
Set2(a, b) == a' = b /\ b' = a
B == Set2(x, y) /\ Op(z)
C == /\ \E s \in SUBSET {x, y} : Cardinality(s) = 1 /\ z' = [i \in 1..1 |-> s]
     /\ UNCHANGED x /\ UNCHANGED y
D == x' = x /\ y' = y /\ z' = IF z = <<>> THEN <<{x'}>> ELSE Append(z, {y'})
E == [x' = y /\ y' = x /\ z' = z]_vars
Next == A \/ B \/ C \/ (Len(z) < 2 /\ D) \/ E
Bound == Len(z) <= 2
Spec == Init /\ [][Next]_vars
Prop == [][Len(z') >= Len(z) \/ Len(z') = 1]_z
Inv == \A i \in DOMAIN z : z[i] \subseteq 0..3
====
