---- MODULE DeepValue ----
EXTENDS Naturals, FiniteSets
VARIABLES net, n
Sum(f) == LET S == DOMAIN f IN f[CHOOSE x \in S : \A y \in S : x <= y]
Total(f) == Sum(f) + Sum([i \in {} |-> 0])
Check(k) == k > 0 /\ Total(net) > 0
Init == net = [i \in 1..3 |-> i] /\ n = 1
Next == \E k \in {0, n} : Check(k) /\ n' = n + k /\ UNCHANGED net
====
