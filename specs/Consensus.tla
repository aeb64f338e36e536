------------------------------ MODULE Consensus ------------------------------
(***************************************************************************)
(* What it means to agree: at some time one value is chosen, and it stays. *)
(*                                                                         *)
(* The top of a stair of three, after Lamport, "Paxos Made Simple" (2001)  *)
(* and "Fast Paxos" (2006): Voting.tla refines this module, and Paxos.tla  *)
(* refines Voting.tla. Left out: who chooses, and how.                     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANT Value     \* what can be chosen

VARIABLE chosen    \* what has been chosen

TypeOK == chosen \subseteq Value

Init == chosen = {}

Choose(v) == /\ chosen = {}
             /\ chosen' = {v}

Next == \E v \in Value : Choose(v)

Spec == Init /\ [][Next]_chosen

Agreement == Cardinality(chosen) <= 1
==============================================================================
