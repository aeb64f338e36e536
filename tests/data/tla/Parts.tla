---- MODULE Parts ----
EXTENDS Naturals
A == /\ 1 = 1
     /\ 1 = 2
     /\ 3 > 2
Two == A!2
P == \A k \in 1..2 : k < 5
F(n) == n + 2
ASSUME ~A!2
ASSUME A!1 /\ A!3
ASSUME A!3!1 = 3
ASSUME A!3!<< = 3 /\ A!3!>> = 2
ASSUME ~Two
ASSUME P!(4) /\ ~P!(5)
ASSUME F(3)!1 = 3
ASSUME P!1 = 1..2 /\ A!: = FALSE
====
