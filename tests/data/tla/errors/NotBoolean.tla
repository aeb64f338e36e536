---- MODULE NotBoolean ----
EXTENDS Naturals
VARIABLE x
Ready == x
Init == x = 1
Next == Ready /\ x' = x
====
