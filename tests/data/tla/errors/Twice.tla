---- MODULE Twice ----
A == 1
A == 2
====
