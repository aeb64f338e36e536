------------------------------- MODULE Graph --------------------------------
(* A ring that can be left at one place: what happens in the end depends on    *)
(* which fairness is assumed.                                                  *)
EXTENDS Naturals
VARIABLE at
Edge(a, b) == at = a /\ at' = b
Around == Edge(0, 1) \/ Edge(1, 2) \/ Edge(2, 0)
Out == Edge(1, 3)
Next == Around \/ Out
Init == at = 0
Bare == Init /\ [][Next]_at
Weak == Bare /\ WF_at(Next)
WeakOut == Weak /\ WF_at(Out)
StrongOut == Weak /\ SF_at(Out)
Never == Weak /\ WF_at(Edge(7, 8)) /\ SF_at(Edge(8, 7))
Each == Bare /\ \A a \in 0 .. 2 : SF_at(Edge(a, (a + 1) % 3)) /\ SF_at(Edge(a, 3))
Assumed == Weak /\ ([]<>(at = 1) => <>(at = 3))
Within == at < 3

AtOnce == <>(at = 0)
Moves == <>(at = 1)
Leaves == <>(at = 3)
Again == []<>(at = 0)
AgainOrOut == []<>(at = 0) \/ <>[](at = 3)
IfAgain == []<>(at = 1) => <>(at = 3)
Settles == <>[](at = 3)
Onward == \A a \in 0 .. 1 : at = a ~> at # a
Returns == at = 2 ~> at = 0
Unreached == at = 9 ~> at = 10
Steps == []<><<Around>>_at
NoMore == <>[][Out]_at
TakesOut == <><<Out>>_at
OutIsOwed == SF_at(Out)
OutIsOwedWeakly == WF_at(Out)
Same == <>(at = 3) <=> <>[](at = 3)
Stops == ~[]<>(at = 1)
Then == [](at = 2 => <>(at = 0 /\ <>(at = 1)))
Last == <>(at = 3 /\ [](at = 3))
Safe == [](at <= 3) /\ [][at' # at]_at /\ <>(at = 3)
=============================================================================
