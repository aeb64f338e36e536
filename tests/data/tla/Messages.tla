---- MODULE Messages ----
EXTENDS Integers, TLC
VARIABLES s
Ids == 1..3
Init == s = [i \in Ids |-> [v |-> 0, seen |-> {}]]
Send(i, j) == i # j /\ s[i].v < 2 /\ s' = [s EXCEPT ![i].v = @ + 1, ![j].seen = @ \cup {<<i, s[i].v>>}]
Drop(i) == \E m \in s[i].seen : s' = [s EXCEPT ![i] = [@ EXCEPT !.seen = @ \ {m}]]
Both(i, j) == Send(i, j) \/ (i < j /\ Drop(i))
Next == \E i, j \in Ids : Both(i, j)
        \/ \E p \in {<<a, b>> \in Ids \X Ids : a < b} : LET a == p[1] b == p[2] IN s[a].v = s[b].v /\ Send(a, b)
Inv == \A i \in Ids : s[i].v <= 2
====
