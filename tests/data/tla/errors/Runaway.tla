---- MODULE Runaway ----
EXTENDS Naturals
VARIABLE x
RECURSIVE Count(_)
Count(n) == IF n = 0 THEN 0 ELSE 1 + Count(n - 2)
Init == x = Count(5)
Next == x' = x
====
