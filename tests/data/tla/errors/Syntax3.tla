---- MODULE Syntax3 ----
EXTENDS Naturals
A == {1, 2
B == 3
====
