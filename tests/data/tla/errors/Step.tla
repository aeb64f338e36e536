----------------------------- MODULE Step -----------------------------
EXTENDS Integers
VARIABLES minute, half
Hours == 3
Wrap(h) == h - 100                      \* not the one of AbstractClock, which is LOCAL there
Abs == INSTANCE AbstractClock WITH hour <- minute \div 2
Off == INSTANCE AbstractClock WITH hour <- minute
Late == INSTANCE AbstractClock WITH hour <- (minute \div 2) + 1
Init == minute = 0 /\ half = FALSE
Step == minute' = (minute + 1) % 6 /\ half' = ~half
Next == Step \/ (minute = 0 /\ UNCHANGED <<minute, half>>)
Spec == Init /\ [][Next]_<<minute, half>>
FairSpec == Spec /\ WF_<<minute, half>>(Step)

Refines == Abs!Spec
RefinesFair == Abs!FairSpec
RefinesOff == Off!Spec
RefinesLate == Late!Spec
Ticks == [][Abs!Tick]_(minute \div 2)
WrapIsOurs == Wrap(100) = 0 /\ Abs!Wrap2(4) = 1
=============================================================================
