---- MODULE Record ----
VARIABLE r
Init == r = [a |-> 1, b |-> 2, a |-> 3]
Next == r' = r
====
