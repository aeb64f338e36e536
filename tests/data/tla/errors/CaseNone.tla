---- MODULE CaseNone ----
EXTENDS Naturals
VARIABLE x
Init == x = 3
Next == x' = CASE x = 1 -> 2 [] x = 2 -> 3
====
