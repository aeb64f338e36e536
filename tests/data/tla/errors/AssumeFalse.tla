---- MODULE AssumeFalse ----
EXTENDS Naturals
VARIABLE x
ASSUME Good == 1 + 1 = 2
ASSUME Bad == 1 + 1 = 3
Init == x = 0
Next == x' = 1 - x
====
