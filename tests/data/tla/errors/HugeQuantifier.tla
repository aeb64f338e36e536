---- MODULE HugeQuantifier ----
EXTENDS Naturals
VARIABLE x
Init == x = 1 /\ \A n \in 1..20000000000 : {n \in SUBSET (1..70) : TRUE} = {}
Next == x' = x
====
