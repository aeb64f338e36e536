---- MODULE CycleB ----
EXTENDS CycleA
====
