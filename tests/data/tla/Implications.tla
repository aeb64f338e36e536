---- MODULE Implications ----
EXTENDS Integers
VARIABLES x, y
Init == x \in 0..2 /\ (x > 1 => y = 1) /\ (x <= 1 => y \in {0, 2}) 
A == (x > 0 \/ y > 0) => (x' = 0 /\ y' = y)
B == ~(x = 1 \/ x = 2) /\ x' = 2 /\ y' = 1 - y
C == (x = 2 <=> y = 1) /\ x' = 1 /\ UNCHANGED y
D == \A i \in {} : FALSE /\ UNCHANGED <<x, y>>
E == \A i \in {1} : \/ x' = i /\ y' = 0
                    \/ x' = 0 /\ y' = i
F == LET g[i \in 0..2] == IF i = 0 THEN x' = 0 /\ y' = 0 ELSE g[i - 1] IN g[2]
G == IF x = 0 \/ y = 0 THEN UNCHANGED <<x, y>> ELSE FALSE
Next == B \/ C \/ E \/ G \/ (x + y > 0 /\ A)
Inv == x \in 0..2 /\ y \in -1..2
====
