---- MODULE CycleA ----
EXTENDS CycleB
====
