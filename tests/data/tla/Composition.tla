----------------------------- MODULE Composition -----------------------------
EXTENDS Naturals
VARIABLES x, y
Bump(n) == x < 3 /\ x' = x + n /\ y' = y
Copy == y' = x /\ x' = x
Half == \/ x % 2 = 0 /\ x' = x \div 2 /\ y' = y
        \/ x > 3 /\ x' = 0 /\ y' = y
Init == x = 0 /\ y = 0
Next == \/ \E n \in 1..2 : Bump(n) \cdot Copy
        \/ (Bump(1) \cdot Bump(2)) \cdot Half
        \/ Half /\ x > 0
Spec == Init /\ [][Next]_<<x, y>>
Inv == /\ x \in 0..4 /\ y \in 0..4
       /\ ENABLED (Bump(1) \cdot Bump(1)) <=> x < 2
Steps == [][(Bump(1) \cdot Copy) \/ (Bump(2) \cdot Copy) \/ y' = y]_<<x, y>>
=============================================================================
