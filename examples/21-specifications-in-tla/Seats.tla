-------------------------------- MODULE Seats --------------------------------
\* Clerks sell the seats of a theatre. Each looks how many are left, and then
\* sells one.
EXTENDS Naturals, TLC

\* [actions]
CONSTANTS Clerk,     \* who sells
          Seats,     \* how many there are
          Careful    \* whether a clerk looks once more when it sells

VARIABLES left,      \* how many seats are left, as the list in the office says
          sold,      \* how many tickets were sold
          sees       \* of each clerk: how many were left when it looked; 0: it has not

vars == <<left, sold, sees>>

Init == /\ left = Seats
        /\ sold = 0
        /\ sees = [c \in Clerk |-> 0]

Look(c) == /\ sees[c] = 0
           /\ sees' = [sees EXCEPT ![c] = left]
           /\ UNCHANGED <<left, sold>>

Sell(c) == /\ sees[c] > 0
           /\ IF Careful THEN left > 0 /\ left' = left - 1
                         ELSE left' = sees[c] - 1
           /\ sold' = sold + 1
           /\ sees' = [sees EXCEPT ![c] = 0]

Next == \E c \in Clerk : Look(c) \/ Sell(c)
\* [/actions]

Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

\* [properties]
NotOversold == sold <= Seats

OnlyFalls == [][left' <= left]_left

SoldOut == <>(sold = Seats)
\* [/properties]

Alike == Permutations(Clerk)

\* A clerk may leave its work whenever it likes.
Lazy == Init /\ [][Next]_vars
==============================================================================
