---- MODULE Syntax2 ----
EXTENDS Naturals
Max(a, b) == IF a > b THEN a
====
