------------------------------ MODULE Liveness ------------------------------
(* Properties of every kind: those about what happens in the end are accepted  *)
(* and named, and those about states and steps within them are checked.        *)
EXTENDS Naturals
VARIABLES x, done
vars == <<x, done>>
Init == x = 0 /\ done = FALSE
Step == x < 3 /\ x' = x + 1 /\ UNCHANGED done
End == x = 3 /\ done' = TRUE /\ UNCHANGED x
Next == Step \/ End
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
Ends == <>done
Leads == \A n \in 0..2 : x = n ~> x = n + 1
Again == []<>(x = 3)
Stays == <>[](x = 3)
Strong == SF_vars(Step)
Implied == []<><<Step>>_vars => <>done
Mixed == [](x <= 3) /\ <>done /\ [][x' >= x]_x
MixedWrong == <>done /\ [](x <= 2)
Conditional == (x = 0) => [](x <= 3)
Never == ~<>(x > 3)
=============================================================================
