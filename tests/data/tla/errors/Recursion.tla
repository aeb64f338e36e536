---- MODULE Recursion ----
EXTENDS Naturals
F(n) == IF n = 0 THEN 1 ELSE F(n - 1)
ASSUME F(2) = 1
====
