---- MODULE RunawayFunction ----
EXTENDS Integers
VARIABLE x
f[n \in Int] == IF n = 0 THEN 0 ELSE 1 + f[n - 1]
Init == x = f[-1]
Next == x' = x
====
