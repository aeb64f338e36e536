---- MODULE HugeSubset ----
EXTENDS Naturals, FiniteSets
VARIABLE x
Init == x \in {s \in SUBSET (1..40) : Cardinality(s) = 2}
Next == x' = x
====
