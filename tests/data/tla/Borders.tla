------------------------------- MODULE Borders -------------------------------
(* What lies beyond a constraint: judged, and not counted.                     *)
EXTENDS Naturals
VARIABLES x, y
CONSTANT NoValue
Init == x \in 0..3 /\ y = 0
Next == \/ x' = x + 1 /\ y' = y
        \/ x > 0 /\ y' = (y + 1) % 2 /\ x' = x
        \/ x' = 0 /\ y' \in {0, 1}
Inside == x <= 2
Steps == x' # 1 \/ y' = 0
Low == x <= 3
Lower == x <= 2
Unknown == CHOOSE v : v \notin Nat
Same == Unknown = NoValue
Spec == Init /\ [][Next]_<<x, y>>
Rises == [][x' = 0 \/ x' >= x]_x
NeverFour == [][x' # 4]_x
=============================================================================
