---- MODULE Arity ----
EXTENDS Naturals
VARIABLE x
Add(a, b) == a + b
Init == x = Add(1)
Next == x' = x
====
