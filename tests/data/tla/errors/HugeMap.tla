---- MODULE HugeMap ----
EXTENDS Naturals
VARIABLE x
Init == x = {s \cup {0} : s \in SUBSET (1..60)}
Next == x' = x
====
