--------------------------- MODULE FunctionValues ---------------------------
EXTENDS Integers, Sequences, TLC

f == [x \in 1..3 |-> x * 10]
g == [x, y \in {1, 2} |-> x + y]
h == [x \in {1, 2}, <<a, b>> \in {<<3, 4>>} |-> x + a + b]
r == [name |-> "n", age |-> 7, inner |-> [deep |-> <<1, 2>>]]
fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * fact[n - 1]
ack[m \in Nat, n \in Nat] ==
  IF m = 0 THEN n + 1 ELSE IF n = 0 THEN ack[m - 1, 1] ELSE ack[m - 1, ack[m, n - 1]]

ASSUME Application == f[2] = 20 /\ g[1, 2] = 3 /\ g[<<2, 2>>] = 4 /\ h[1, <<3, 4>>] = 8
ASSUME Domains == DOMAIN f = 1..3 /\ DOMAIN g = {1, 2} \X {1, 2} /\ DOMAIN r = {"name", "age", "inner"}
ASSUME Tuples == <<10, 20, 30>> = f /\ <<>> = [x \in {} |-> x] /\ <<1, 2>>[2] = 2 /\ DOMAIN <<"a", "b">> = 1..2
ASSUME Records == r.name = "n" /\ r["age"] = 7 /\ r.inner.deep[2] = 2 /\ [a |-> 1, b |-> 2] = [b |-> 2, a |-> 1]
ASSUME RecordsAreFunctions == [a |-> 1] = [x \in {"a"} |-> 1] /\ "a" :> 1 = [a |-> 1]
ASSUME Sets == [a : {1, 2}, b : {3}] = {[a |-> 1, b |-> 3], [a |-> 2, b |-> 3]} /\ [a |-> 9] \in [a : Nat]
ASSUME FunctionSets == [{1, 2} -> {0, 1}] = {<<x, y>> : x \in {0, 1}, y \in {0, 1}} /\ [{} -> {1}] = {<<>>}
ASSUME Recursive == fact[5] = 120 /\ fact[0] = 1 /\ ack[2, 3] = 9
ASSUME Except == [f EXCEPT ![1] = 5] = <<5, 20, 30>> /\ [f EXCEPT ![1] = @ + 1, ![3] = @ - 1] = <<11, 20, 29>>
ASSUME ExceptInOrder == [f EXCEPT ![1] = 1, ![1] = @ + 1][1] = 2
ASSUME ExceptPaths == [r EXCEPT !.inner.deep[2] = @ + 5].inner.deep = <<1, 7>> /\ [r EXCEPT !["age"] = 8].age = 8
ASSUME ExceptOfPairs == [g EXCEPT ![1, 2] = 0][1, 2] = 0 /\ [g EXCEPT ![<<1, 1>>] = @ * 7][1, 1] = 14
ASSUME ExceptOutside == [f EXCEPT ![9] = 1] = f
ASSUME Merge == (1 :> "a" @@ 2 :> "b") = <<"a", "b">> /\ (1 :> 0 @@ f)[1] = 0 /\ (f @@ 4 :> 40)[4] = 40
ASSUME Curried == [x \in 1..2 |-> [y \in 1..2 |-> x * y]][2][2] = 4
ASSUME OfSets == [s \in SUBSET {1} |-> s][{1}] = {1}
ASSUME Equal == [x \in 1..2 |-> x] = [y \in {2, 1} |-> y] /\ [x \in 1..2 |-> 0] # [x \in 1..3 |-> 0]
ASSUME LetFunction == LET sq[n \in Nat] == n * n IN sq[7] = 49
ASSUME LocalRecursion == LET sum[n \in 0..10] == IF n = 0 THEN 0 ELSE n + sum[n - 1] IN sum[10] = 55
ASSUME SequenceOps == Append(<<1>>, 2) = <<1, 2>> /\ Head(f) = 10 /\ Tail(f) = <<20, 30>> /\ <<1>> \o <<2>> = <<1, 2>>
ASSUME MoreSequenceOps == Len(f) = 3 /\ SubSeq(f, 2, 3) = <<20, 30>> /\ SelectSeq(f, LAMBDA x : x > 15) = <<20, 30>>
=============================================================================
