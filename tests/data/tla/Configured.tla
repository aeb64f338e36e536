----------------------------- MODULE Configured -----------------------------
(* What a configuration may say.                                              *)
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANTS Procs, Max, Null, Op(_), Text, Flag, Sets, Table(_, _)
VARIABLES owner, count, log
vars == <<owner, count, log>>

ASSUME Text = "some text" /\ Flag = TRUE /\ Sets = {{}, {1, 2}} /\ Max \in Nat
ASSUME Null \notin Procs /\ Null # 1 /\ Null # "Null" /\ Table(1, "a") = 7 /\ Table(2, "b") = {8}
ASSUME Nat = 0..5 /\ Cardinality(Procs) = 3

Defined == 99
Replaced == 3
TwicePlus(k) == 2 * k + 1
Small == 0..5
Init == owner = Null /\ count = 0 /\ log = <<>>
Take(p) == owner = Null /\ owner' = p /\ UNCHANGED <<count, log>>
Give == /\ owner # Null
        /\ owner' = Null
        /\ \E n \in Nat : n < Defined /\ count' = n
        /\ log' = Append(log, owner)
Next == Give \/ \E p \in Procs : Take(p)
Spec == Init /\ [][Next]_vars

Short == Len(log) <= Max
Slow == count' <= Op(count)
TypeOK == owner \in Procs \cup {Null} /\ count \in Nat
NeverTwo == count # 2
View == <<owner, Len(log)>>
Sym == Permutations(Procs)
Names == [holder |-> owner, times |-> Len(log), next |-> IF ENABLED Give THEN "give" ELSE "take"]
Post == TLCGet("distinct") > 0 /\ TLCGet("stats").diameter >= 1
BadPost == TLCGet("distinct") = 1
Fair == Spec /\ WF_vars(Give)
Live == <>(owner # Null)
Grows == [][Len(log') >= Len(log)]_log
Falls == [][Len(log') < Len(log)]_log
AlwaysShort == [](Len(log) <= Max + 1)
Begins == owner = Null
BeginsWrong == owner # Null
Both == Grows /\ AlwaysShort /\ Begins
OneStep == [][TRUE]_vars /\ []TypeOK
=============================================================================
