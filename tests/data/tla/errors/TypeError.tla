---- MODULE TypeError ----
EXTENDS Naturals
VARIABLE x
Init == x = 1
Next == x' = IF x = "one" THEN 2 ELSE 1
====
