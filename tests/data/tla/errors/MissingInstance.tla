---- MODULE MissingInstance ----
A == INSTANCE Abstrct
====
