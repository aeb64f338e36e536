---- MODULE Undefined ----
EXTENDS Naturals, Sequences
VARIABLE queue
Init == queue = <<>>
Next == queue' = Apend(queue, 1)
====
