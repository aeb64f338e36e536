---- MODULE Config ----
EXTENDS Naturals, TLC
CONSTANTS Limit, Step(_)
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == x < 5 /\ x' = Step(x) /\ y' = y
Spec == Init /\ [][Next]_<<x, y>>
Invariant == x < Limit
Number == 3
One(a) == a + 1
Two(a, b) == a + b
Sym == {[a \in {1, 2} |-> a]}
OnlyNext == [][Next]_x
Three == Init /\ [][Next]_x /\ [][Next]_y
====
