---- MODULE Parameters ----
EXTENDS Naturals
VARIABLE x
F(a) == a + 1
g[a \in 1..2] == a
Apply(Op(_, _), a) == Op(a, a)
Init == x = Apply(F, 1)
Next == x' = x
====
