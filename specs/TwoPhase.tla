------------------------------- MODULE TwoPhase ------------------------------
(***************************************************************************)
(* Two-phase commit: a transaction manager collects the votes of resource  *)
(* managers and tells them what to do.                                     *)
(*                                                                         *)
(* After Gray and Lamport, "Consensus on Transaction Commit" (2006).       *)
(* Messages are a set that only grows: each may be received many times, or *)
(* never, and in any order. It is the protocol of the subject              *)
(* two-phase-commit (protocols/two_phase_commit/), state by state.         *)
(*                                                                         *)
(* Left out: crashes. A transaction manager that does nothing any more     *)
(* leaves prepared managers blocked, here as there.                        *)
(***************************************************************************)
EXTENDS Naturals, TLC

CONSTANTS RM,      \* the resource managers
          Bug      \* what is wrong with the protocol: "none", or one of Bugs

Bugs == {"none",
         "commit-early",        \* the manager commits although one vote is missing
         "rm-changes-mind"}     \* a prepared manager may still abort on its own

ASSUME Bug \in Bugs

VARIABLES rm,      \* of each resource manager: as in TCommit
          tm,      \* of the transaction manager: "init", "committed" or "aborted"
          known,   \* the managers that it knows to be prepared
          sent     \* all messages that were ever sent

vars == <<rm, tm, known, sent>>

Message == [type : {"prepared"}, by : RM] \cup [type : {"commit", "abort"}]

TypeOK == /\ rm \in [RM -> {"working", "prepared", "committed", "aborted"}]
          /\ tm \in {"init", "committed", "aborted"}
          /\ known \subseteq RM
          /\ sent \subseteq Message

Init == /\ rm = [r \in RM |-> "working"]
        /\ tm = "init"
        /\ known = {}
        /\ sent = {}

Send(message) == sent' = sent \cup {message}

------------------------------------------------------------------------------
\* The transaction manager.

Learn(r) == /\ tm = "init"
            /\ [type |-> "prepared", by |-> r] \in sent
            /\ known' = known \cup {r}
            /\ UNCHANGED <<rm, tm, sent>>

Enough == \/ known = RM
          \/ /\ Bug = "commit-early"
             /\ \E missing \in RM : known = RM \ {missing}

DecideCommit == /\ tm = "init"
                /\ Enough
                /\ tm' = "committed"
                /\ Send([type |-> "commit"])
                /\ UNCHANGED <<rm, known>>

\* It may lose its patience at any time.
DecideAbort == /\ tm = "init"
               /\ tm' = "aborted"
               /\ Send([type |-> "abort"])
               /\ UNCHANGED <<rm, known>>

------------------------------------------------------------------------------
\* The resource managers.

Prepare(r) == /\ rm[r] = "working"
              /\ rm' = [rm EXCEPT ![r] = "prepared"]
              /\ Send([type |-> "prepared", by |-> r])
              /\ UNCHANGED <<tm, known>>

AbortAlone(r) == /\ \/ rm[r] = "working"
                    \/ Bug = "rm-changes-mind" /\ rm[r] = "prepared"
                 /\ rm' = [rm EXCEPT ![r] = "aborted"]
                 /\ UNCHANGED <<tm, known, sent>>

FollowCommit(r) == /\ [type |-> "commit"] \in sent
                   /\ rm' = [rm EXCEPT ![r] = "committed"]
                   /\ UNCHANGED <<tm, known, sent>>

FollowAbort(r) == /\ [type |-> "abort"] \in sent
                  /\ rm' = [rm EXCEPT ![r] = "aborted"]
                  /\ UNCHANGED <<tm, known, sent>>

------------------------------------------------------------------------------
Next == \/ DecideCommit
        \/ DecideAbort
        \/ \E r \in RM : \/ Learn(r)
                         \/ Prepare(r)
                         \/ AbortAlone(r)
                         \/ FollowCommit(r)
                         \/ FollowAbort(r)

Spec == Init /\ [][Next]_vars

\* It does what transactions are to do.
TC == INSTANCE TCommit WITH state <- rm

Consistent == TC!Consistent
Refinement == TC!Spec

\* If everybody goes on doing what can be done, everybody decides.
FairSpec == Spec /\ WF_vars(Next)
AllDecide == <>(\A r \in RM : rm[r] \in {"committed", "aborted"})

\* Which manager is which does not matter; for model values.
Alike == Permutations(RM)
==============================================================================
