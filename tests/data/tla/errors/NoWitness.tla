---- MODULE NoWitness ----
EXTENDS Naturals
VARIABLES x, seen
Max(S) == CHOOSE m \in S : \A n \in S : m > n
Init == x = 0 /\ seen = {}
Step == x' = Max(seen) /\ seen' = seen \cup {x}
Next == Step
====
