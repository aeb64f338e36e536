------------------------------- MODULE TCommit -------------------------------
(***************************************************************************)
(* What it means to commit a transaction, without a word about messages.   *)
(*                                                                         *)
(* After Gray and Lamport, "Consensus on Transaction Commit" (2006): each  *)
(* resource manager is working, then prepared, and in the end committed or *)
(* aborted. A manager commits only when all are prepared, or have          *)
(* committed before it; it aborts only where nobody has committed.         *)
(*                                                                         *)
(* TwoPhase.tla is one way to get there, and refines this module. Left     *)
(* out: how managers know of each other.                                   *)
(***************************************************************************)
CONSTANT RM        \* the resource managers

VARIABLE state     \* of each manager

State == {"working", "prepared", "committed", "aborted"}

TypeOK == state \in [RM -> State]

Init == state = [r \in RM |-> "working"]

Become(r, s) == state' = [state EXCEPT ![r] = s]

Prepare(r) == /\ state[r] = "working"
              /\ Become(r, "prepared")

Commit(r) == /\ state[r] = "prepared"
             /\ \A other \in RM : state[other] \in {"prepared", "committed"}
             /\ Become(r, "committed")

Abort(r) == /\ state[r] \in {"working", "prepared"}
            /\ \A other \in RM : state[other] # "committed"
            /\ Become(r, "aborted")

Next == \E r \in RM : Prepare(r) \/ Commit(r) \/ Abort(r)

Spec == Init /\ [][Next]_state

\* Nobody commits what somebody else has aborted.
Consistent == \A a, b \in RM : ~(state[a] = "committed" /\ state[b] = "aborted")
==============================================================================
