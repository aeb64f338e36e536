-------------------------------- MODULE Sets --------------------------------
EXTENDS Integers, FiniteSets, Sequences

S == {3, 1, 2}

ASSUME Literal == {1, 2, 3} = {3, 2, 1, 1, 2} /\ {} \subseteq S /\ S \subseteq S
ASSUME Operators == S \cup {4} = 1..4 /\ S \cap {2, 5} = {2} /\ S \ {2} = {1, 3} /\ S \union {9} # S
ASSUME Filter == {x \in S : x % 2 = 1} = {1, 3} /\ {<<x, y>> \in S \X S : x + y = 3} = {<<1, 2>>, <<2, 1>>}
ASSUME Map == {x * x : x \in S} = {1, 4, 9} /\ {x + y : x, y \in S} = 2..6
ASSUME MapOfTuples == {a - b : <<a, b>> \in {<<5, 1>>, <<7, 2>>}} = {4, 5}
ASSUME MapOfSeveral == {<<a, b>> : a \in {1, 2}, b \in {3}} = {<<1, 3>>, <<2, 3>>}
ASSUME Powerset == SUBSET {1, 2} = {{}, {1}, {2}, {1, 2}} /\ Cardinality(SUBSET (1..5)) = 32
ASSUME PowersetMembers == {1, 3} \in SUBSET S /\ {1, 4} \notin SUBSET S /\ {5, 7} \in SUBSET Nat
ASSUME Union == UNION {{1}, {2, 3}, {}} = S /\ UNION {} = {}
ASSUME Products == Cardinality({1, 2} \X {1, 2, 3}) = 6 /\ <<1, 2>> \in {1} \X {2} /\ <<1, 2, 3>> \in Nat \X Nat \X Nat
ASSUME NestedProducts == <<<<1, 2>>, 3>> \in ({1} \X {2}) \X {3} /\ <<1, 2, 3>> \notin {1} \X {4} \X {3}
ASSUME Quantifiers == (\A x \in S : x > 0) /\ (\E x \in S : x = 2) /\ (\A x \in {} : FALSE) /\ ~(\E x \in {} : TRUE)
ASSUME SeveralBounds == \A x, y \in S : \E z \in 1..6, w \in {0} : z + w = x + y
ASSUME TupleBounds == (\E <<a, b>> \in S \X S : a + b = 6) /\ (\A <<a, b>> \in {<<1, 2>>} : a < b)
ASSUME Chosen == (CHOOSE x \in S : x > 1) = 2 /\ (CHOOSE x \in 5..9 : TRUE) = 5
ASSUME ChosenTuple == (CHOOSE <<a, b>> \in S \X S : a > b) = <<2, 1>>
ASSUME Booleans == BOOLEAN = {TRUE, FALSE} /\ TRUE \in BOOLEAN /\ "a" \in STRING
ASSUME Finite == IsFiniteSet(S) /\ Cardinality(S) = 3 /\ Cardinality({{}, {{}}}) = 2
ASSUME LazyMembers == [x \in S |-> x] \in [S -> Nat] /\ <<1, 2>> \in Seq(Nat) /\ <<"a">> \notin Seq({"b"})
ASSUME LazyFilter == 6 \in {n \in Nat : n % 2 = 0} /\ 7 \notin {n \in Nat : n % 2 = 0}
ASSUME Mixed == {{1}, {}, {1, 2}} = {{}, {2, 1}, {1}} /\ {1, 2} # {1, 2, 3}
=============================================================================
