------------------------------ MODULE Instances ------------------------------
(* Instances: named and not, with parameters, of modules within this module,   *)
(* and what a prime means through a substitution.                             *)
EXTENDS Integers
VARIABLES a, b
CONSTANT Top

---------------------------- MODULE Counter ----------------------------
EXTENDS Integers
CONSTANTS Limit, Step(_)
VARIABLE n
Zero == n = 0
Up == n < Limit /\ n' = Step(n)
Reset == n = Limit /\ n' = 0
Move == Up \/ Reset
CanMove == ENABLED Move
Bounded == n \in 0..Limit
Same == UNCHANGED n
LOCAL Hidden == n
Shown == Hidden + 1
Twice == n' = n + n
========================================================================

By2(k) == k + 2
By1(k) == k + 1
A == INSTANCE Counter WITH n <- a, Limit <- Top, Step <- By1
B == INSTANCE Counter WITH n <- b, Limit <- 2 * Top, Step <- By2
Sum == INSTANCE Counter WITH n <- a + b, Limit <- 3 * Top, Step <- LAMBDA k : k + 1
P(v, limit) == INSTANCE Counter WITH n <- v, Limit <- limit, Step <- By1

------------------------------ MODULE Outer ------------------------------
VARIABLE m
CONSTANT L
Inc(k) == k + 1
In == INSTANCE Counter WITH n <- m, Limit <- L, Step <- Inc
Go == In!Move
Start == In!Zero
Deep == In!Shown
==========================================================================
O == INSTANCE Outer WITH m <- a, L <- Top
Q(var) == INSTANCE Outer WITH m <- var, L <- Top

Init == A!Zero /\ P(b, Top)!Zero
Next == \/ A!Up /\ B!Same
        \/ O!Go /\ UNCHANGED b
        \/ B!Move /\ A!Same
        \/ P(a, 1)!Reset /\ UNCHANGED b
        \/ Q(b)!Go /\ Q(a)!In!Same
        \/ a' = a /\ b' = 0 /\ A!CanMove /\ ~B!CanMove
Spec == Init /\ [][Next]_<<a, b>>

Inv == /\ A!Bounded /\ (B!Bounded \/ b = 5)
       /\ Sum!Shown = a + b + 1 /\ P(a + 1, 7)!Shown = a + 2
       /\ O!Deep = A!Shown /\ O!In!Shown = a + 1 /\ Q(b)!Deep = b + 1
       /\ LET I == INSTANCE Counter WITH n <- a * 2, Limit <- 9, Step <- By1 IN I!Shown = 2 * a + 1
       /\ \A k \in 0..2 : P(k, k)!Bounded /\ P(k, 0)!Shown = k + 1
Moves == [][A!Same \/ A!Move \/ P(a, 1)!Reset]_a
=============================================================================
