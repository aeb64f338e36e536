---- MODULE Syntax4 ----
EXTENDS Naturals
A == 1 /\ 2 \/ 3
====
