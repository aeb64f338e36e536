---------------------------- MODULE ModulesBase ----------------------------
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
CONSTANT Size
LOCAL Secret == 40
Public == Secret + Size
Longer(s) == Append(s, Size)
Weight(x) == 1
Total(a, b) == Weight(a) + Weight(b)
=============================================================================
