---- MODULE ExceptKey ----
EXTENDS Naturals
VARIABLE votes
Init == votes = [n \in 1..2 |-> 0]
Next == votes' = [votes EXCEPT !["1"] = 1]
====
