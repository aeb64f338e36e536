---- MODULE AssignedSubsets ----
EXTENDS Naturals
(* A variable gets its value by being a subset, in initial states and in steps. *)
VARIABLES x, y
Init == x \subseteq {1, 2} /\ y = 0
Grow == y < 2 /\ x' \subseteq x /\ y' = y + 1
Within == x \subseteq {1, 2} /\ UNCHANGED <<x, y>> /\ x # {}
Next == Grow \/ Within
====
