--------------------------- MODULE AbstractClock ---------------------------
EXTENDS Naturals
CONSTANT Hours
VARIABLE hour
LOCAL Wrap(h) == h % Hours
Init == hour \in 0..(Hours - 1)
Tick == hour' = Wrap(hour + 1)
Next == Tick
Spec == Init /\ [][Next]_hour
FairSpec == Spec /\ WF_hour(Next)
Wrap2(h) == Wrap(h) + 0
=============================================================================
