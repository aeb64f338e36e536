---------------------------- MODULE ModulesRight ----------------------------
EXTENDS ModulesBase, Integers
Right == Public - 1
Weight2 == Weight(0)
=============================================================================
