------------------------------- MODULE Starts -------------------------------
(* Initial states: by disjunctions, members, choices, definitions and filters. *)
EXTENDS Integers, Sequences, FiniteSets
CONSTANT N
VARIABLES a, b, c, d
Type == a \in 0..2
Pairs == {<<p, q>> \in (1..N) \X (1..N) : p < q}
Init == /\ Type
        /\ \/ b = a /\ a > 0
           \/ b \in {5, a}
        /\ IF b = 5 THEN c \in SUBSET {1, 2} ELSE c = {}
        /\ CASE a = 0 -> d \in [1..2 -> {0, 1}]
             [] a = 1 -> \E x \in 1..N : d = <<x, x>>
             [] OTHER -> LET k == Cardinality(c) IN d = <<k, k>> \/ d = <<k, N>>
        /\ d # <<1, 0>>
        /\ \A i \in 1..2 : d[i] <= N
Next == UNCHANGED <<a, b, c, d>>
Set == /\ <<a, b>> \in Pairs /\ c = {} /\ d = <<>>
Records == /\ a \in [x : {1, 2}, y : BOOLEAN] /\ b \in {a.x, 2} /\ a.y => b = 1 /\ c = a /\ d = 0
Spec == Init /\ [][Next]_<<a, b, c, d>>
=============================================================================
