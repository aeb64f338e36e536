---- MODULE Outside ----
EXTENDS Naturals
CONSTANT Proc
VARIABLES pc, turn
Init == pc = [p \in 1..2 |-> "idle"] /\ turn = 1
Run(p) == pc[p] = "idle" /\ pc' = [pc EXCEPT ![p] = "run"] /\ turn' = turn + 1
Next == Run(turn)
====
