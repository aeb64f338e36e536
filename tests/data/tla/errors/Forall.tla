---- MODULE Forall ----
EXTENDS Naturals
VARIABLE f
Init == f = <<1, 2, 3>>
Next == \E i \in 1..3 : f' = [f EXCEPT ![i] = 7]
Small(k, most) == k <= most
Inv == /\ DOMAIN f = 1..3
       /\ \A i \in DOMAIN f : LET v == f[i] IN v > 1 => Small(v, 5)
====
