---- MODULE HeadEmpty ----
EXTENDS Naturals, Sequences
VARIABLE q
Init == q = <<1>>
Pop == q' = Tail(q)
Next == Head(q) > 0 /\ Pop
====
