-------------------------------- MODULE Join --------------------------------
(* Two ways meet: what was so on the first counts for nothing on the second.   *)
EXTENDS Naturals
VARIABLES at, times
vars == <<at, times>>
To(a, b) == at = a /\ at' = b /\ UNCHANGED times
Fault == at = 3 /\ times < 2 /\ at' = 0 /\ times' = times + 1
Next == To(0, 1) \/ To(0, 2) \/ To(1, 3) \/ To(2, 3) \/ Fault
Init == at = 0 /\ times = 0
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
Left == <>(at = 1)
Right == <>(at = 2)
Either == <>(at = 1 \/ at = 2)
Meets == at = 0 ~> at = 3
Twice == <>(times = 2)
=============================================================================
