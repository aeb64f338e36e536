---- MODULE Missing ----
EXTENDS Natural, Sequences
====
