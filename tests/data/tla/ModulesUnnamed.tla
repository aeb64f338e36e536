--------------------------- MODULE ModulesUnnamed ---------------------------
EXTENDS Integers
VARIABLE w
CONSTANT Limit
UInit == w = 0
UNext == \/ w < Limit /\ w' = w + 1
         \/ w = Limit /\ w' \in {0, Limit}
UInv == w <= Limit
=============================================================================
