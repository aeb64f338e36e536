-------------------------------- MODULE Mutex --------------------------------
(***************************************************************************)
(* A lock whose waiters sleep: who finds it taken goes to sleep, and who   *)
(* leaves hands it over to the one that has slept longest.                 *)
(*                                                                         *)
(* Finding it taken and going to sleep are two steps, as in a lock on top  *)
(* of a system call. So the second must look again, or nobody will wake    *)
(* the sleeper.                                                            *)
(*                                                                         *)
(* Whoever works goes on working: weak fairness of each process. Nobody    *)
(* has to ask.                                                             *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Proc,    \* the processes
          Bug      \* what is wrong with the lock: "none", or one of Bugs

Bugs == {"none",
         "lost-wakeup",         \* going to sleep does not look again
         "newest-first"}        \* the lock is handed to the one that came last

ASSUME Bug \in Bugs

VARIABLES pc,      \* of each process: "idle", "asking", "tired", "asleep" or "critical"
          owner,   \* who has the lock, in a set; {}: nobody
          queue    \* who is asleep, in the order in which they went

vars == <<pc, owner, queue>>

TypeOK == /\ pc \in [Proc -> {"idle", "asking", "tired", "asleep", "critical"}]
          /\ owner \subseteq Proc /\ Cardinality(owner) <= 1
          /\ \A i \in 1 .. Len(queue) : queue[i] \in Proc

Init == /\ pc = [p \in Proc |-> "idle"]
        /\ owner = {}
        /\ queue = <<>>

Ask(p) == /\ pc[p] = "idle"
          /\ pc' = [pc EXCEPT ![p] = "asking"]
          /\ UNCHANGED <<owner, queue>>

Enter(p) == /\ pc[p] = "asking" /\ owner = {}
            /\ pc' = [pc EXCEPT ![p] = "critical"]
            /\ owner' = {p}
            /\ UNCHANGED queue

Tire(p) == /\ pc[p] = "asking" /\ owner # {}
           /\ pc' = [pc EXCEPT ![p] = "tired"]
           /\ UNCHANGED <<owner, queue>>

Sleep(p) == /\ pc[p] = "tired"
            /\ IF owner = {} /\ Bug # "lost-wakeup"
               THEN /\ pc' = [pc EXCEPT ![p] = "critical"]
                    /\ owner' = {p}
                    /\ UNCHANGED queue
               ELSE /\ pc' = [pc EXCEPT ![p] = "asleep"]
                    /\ queue' = Append(queue, p)
                    /\ UNCHANGED owner

Woken == IF Bug = "newest-first" THEN Len(queue) ELSE 1

Leave(p) == /\ pc[p] = "critical"
            /\ IF queue = <<>>
               THEN /\ pc' = [pc EXCEPT ![p] = "idle"]
                    /\ owner' = {}
                    /\ UNCHANGED queue
               ELSE /\ pc' = [pc EXCEPT ![p] = "idle", ![queue[Woken]] = "critical"]
                    /\ owner' = {queue[Woken]}
                    /\ queue' = SubSeq(queue, 1, Woken - 1)
                                \o SubSeq(queue, Woken + 1, Len(queue))

Work(p) == Enter(p) \/ Tire(p) \/ Sleep(p) \/ Leave(p)

Next == \E p \in Proc : Ask(p) \/ Work(p)

Spec == Init /\ [][Next]_vars /\ \A p \in Proc : WF_vars(Work(p))

------------------------------------------------------------------------------
Exclusive == Cardinality({p \in Proc : pc[p] = "critical"}) <= 1

\* Who asks will have the lock.
Served == \A p \in Proc : pc[p] = "asking" ~> pc[p] = "critical"

\* The lock is left again and again.
Left == \A p \in Proc : []<>(pc[p] # "critical")
==============================================================================
