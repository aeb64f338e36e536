--------------------------- MODULE RecursiveSteps ---------------------------
(* Functions and operators that call themselves, where steps are counted: each *)
(* way in which the body is true counts once.                                 *)
EXTENDS Integers
VARIABLES x, s

Reach(n) == LET R[k \in 0..3] == \/ k = 0
                                 \/ \E j \in 0..(k - 1) : R[j] /\ j \in s
            IN R[n]
Global[k \in 0..3] == \/ k = 0
                      \/ \E j \in 0..(k - 1) : Global[j]
OfState[k \in 0..3] == \/ k = 0
                       \/ \E j \in s : j < k /\ OfState[j]
RECURSIVE Down(_)
Down(n) == \/ n = 0
           \/ \E j \in 0..(n - 1) : Down(j) /\ j \in s

Init == x = 0 /\ s = {0}
A == Reach(x) /\ x' = (x + 1) % 4 /\ s' = s \cup {x}
B == Global[x] /\ UNCHANGED <<x, s>>
C == OfState[x] /\ UNCHANGED <<x, s>>
D == Down(x) /\ UNCHANGED <<x, s>>
Next == A \/ B \/ C \/ D
OnlyA == A
OnlyB == x' = (x + 1) % 4 /\ s' = s \cup {x} /\ Global[x]
=============================================================================
