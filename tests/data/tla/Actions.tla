------------------------------- MODULE Actions -------------------------------
(* What counts as a step: every true disjunct and every witness, and every way  *)
(* in which a primed variable can get its value.                              *)
EXTENDS Integers
VARIABLES x, y, z
vars == <<x, y, z>>
pair == <<y, z>>

TypeOK == x \in 0..5 /\ y \in 0..3 /\ z \in BOOLEAN
Init == x = 0 /\ y \in {0, 1} /\ (z = TRUE \/ z = FALSE)

Twice == /\ x < 3
         /\ x' = x + 1
         /\ UNCHANGED <<y, z>>
Same == (x = 1 \/ y = 1) /\ UNCHANGED vars            \* one or two ways
Chosen == /\ x' \in {x, 0}
          /\ y' = y
          /\ z' = z
Nested == UNCHANGED <<x, pair>>
Witness == \E a \in {1, 2, 3} : a > 1 /\ x' = x /\ UNCHANGED pair
If == IF x > 2 THEN x' = 0 /\ UNCHANGED pair ELSE \/ x' = 5 /\ y' = 0 /\ UNCHANGED z
                                                  \/ z' = ~z /\ UNCHANGED <<x, y>>
Case == CASE x = 5 -> x' = 4 /\ UNCHANGED pair
          [] x = 4 -> y' \in 0..1 /\ UNCHANGED <<x, z>>
          [] OTHER -> FALSE /\ UNCHANGED vars
Let == LET next == y + 1 IN next < 3 /\ y' = next /\ UNCHANGED <<x, z>>
Set(v) == v' = 2
Param(a, b) == a' = b /\ UNCHANGED <<y, z>>
All == \A v \in {1, 2} : /\ (v = 1 => x' = 1)
                         /\ (v = 2 => y' = 1)
                         /\ z' = z
AfterRead == x' = 3 /\ y' = x' - 2 /\ z' = (x' > y')
Check == x' = 3 /\ x' \in {3, 4} /\ x' # 4 /\ UNCHANGED pair
Implies == (y = 3 => x' = 2) /\ x' = 2 /\ UNCHANGED pair
Primed == (x + 1)' = 3 /\ x' = 2 /\ UNCHANGED pair

Next == \/ Twice \/ Same \/ Chosen \/ Nested \/ Witness \/ If \/ Case \/ Let
        \/ (Set(x) /\ UNCHANGED pair)
        \/ Param(x, y) \/ All \/ AfterRead \/ Check \/ Implies
Spec == Init /\ [][Next]_vars
NextPrimed == Primed
=============================================================================
