---- MODULE Undetermined ----
EXTENDS Naturals
VARIABLES x, y, z
Init == x = 0 /\ y = 0 /\ z = 0
Forward == x' = x + 1 /\ z' = z
Next == x < 3 /\ Forward
====
