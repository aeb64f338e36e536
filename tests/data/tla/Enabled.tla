------------------------------ MODULE Enabled ------------------------------
EXTENDS Integers
VARIABLES x, y
vars == <<x, y>>
Inc(v, w) == v < 3 /\ v' = v + 1 /\ UNCHANGED w
IncX == Inc(x, y)
IncY == Inc(y, x)
Both == IncX \/ IncY
Stuck == x' = x + 1 /\ x' = x + 2
Pick == \E n \in {0, 1} : n > x /\ x' = n
Half == x' = 1                                  \* says nothing of y
Change == ENABLED <<IncX>>_vars
Test == ENABLED (x' = x /\ x > 1)
Nested == ENABLED (IncX /\ (ENABLED IncY)')
Even(n) == n % 2 = 0
Init == x = 0 /\ y = 0
Next == \/ IncX
        \/ ENABLED IncX /\ ~ENABLED IncX /\ UNCHANGED vars
        \/ ~ENABLED IncX /\ IncY
        \/ (ENABLED Pick) /\ Pick /\ y' = y
        \/ x = 3 /\ y = 3 /\ UNCHANGED vars
Inv == /\ ENABLED IncX <=> x < 3
       /\ (ENABLED Both) = (x < 3 \/ y < 3)
       /\ ~ENABLED Stuck
       /\ ENABLED Half
       /\ (ENABLED Pick) = (x = 0)
       /\ Change = (x < 3)
       /\ Test = (x > 1)
       /\ ~ENABLED <<UNCHANGED x>>_x
       /\ \A v \in {x, y} : v <= 3
       /\ ENABLED [Stuck]_vars
       /\ ENABLED (\E n \in 1..2 : x' = n /\ y' = x' + 1 /\ y' > n)
       /\ ~ENABLED (x' \in {1, 2} /\ x' > 2)
Steps == [][ENABLED IncX => x' >= x]_vars
=============================================================================
