---------------------------- MODULE MicroBenchmark ---------------------------
(***************************************************************************)
(* A master, its workers and a terminator, and a bug that only the right   *)
(* order of messages shows.                                                *)
(*                                                                         *)
(* After the benchmark of "Model-guided Fuzzing of Distributed Systems"    *)
(* (ModelFuzz), where M is 5 to 7 and N is 10 to 40. All workers and the   *)
(* terminator register with the master. A client's request that comes too  *)
(* early is refused. Else the master gives it to a worker, which divides   *)
(* it into a chain of N tasks: each, when it is done, sends itself the     *)
(* next. At the same time the master tells the terminator to stop the      *)
(* worker; it has the worker flush the buffer of its tasks. A worker looks *)
(* into its buffer before it executes a task. The planted bug: it does not *)
(* look before the last one, and crashes when the flush came right before. *)
(*                                                                         *)
(* The actions have the names and parameters of the model that ModelFuzz   *)
(* follows. Left out: what tasks do. There is one request, and it does not *)
(* matter which.                                                           *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS M,       \* how many workers
          N,       \* how many tasks a request is divided into
          Bug      \* what is wrong: "none", or "unchecked-last"

ASSUME M \in Nat \ {0} /\ N \in Nat \ {0} /\ Bug \in {"none", "unchecked-last"}

VARIABLES registering,  \* who has asked the master to be registered; M + 1 is the terminator
          registered,   \* … and is
          request,      \* of the client: "sent", "refused" or "served"
          worker,       \* who got the request; 0: nobody
          buffer,       \* how many tasks of it wait in the worker's buffer
          task,         \* the number of the task that is on its way to the worker; 0: none
          stop,         \* what is on its way: "terminate" to the terminator, "flush" to the worker
          crashed       \* whether the worker did

members == <<registering, registered>>
work == <<worker, buffer, task>>
vars == <<members, request, work, stop, crashed>>

Worker == 1 .. M
Terminator == M + 1
TheRequest == 1
Member == Worker \cup {Terminator}

TypeOK == /\ registering \subseteq Member
          /\ registered \subseteq registering
          /\ request \in {"sent", "refused", "served"}
          /\ worker \in Worker \cup {0}
          /\ buffer \in 0 .. N
          /\ task \in 0 .. N
          /\ stop \in {"none", "terminate", "flush"}
          /\ crashed \in BOOLEAN

Init == /\ registering = {}
        /\ registered = {}
        /\ request = "sent"
        /\ worker = 0
        /\ buffer = 0
        /\ task = 0
        /\ stop = "none"
        /\ crashed = FALSE

------------------------------------------------------------------------------
Ask(p) == /\ registering' = registering \cup {p}
          /\ UNCHANGED <<registered, request, work, stop, crashed>>

Enter(p) == /\ registered' = registered \cup {p}
            /\ UNCHANGED <<registering, request, work, stop, crashed>>

WorkerRegister(w) == w \in Worker \ registering /\ Ask(w)
TerminatorRegister == Terminator \notin registering /\ Ask(Terminator)

MasterRegisterWorker(w) == w \in (Worker \cap registering) \ registered /\ Enter(w)
MasterRegisterTerminator == Terminator \in registering \ registered /\ Enter(Terminator)

\* The master gives request r to worker w, if all are there.
MasterRcvRequest(w, r) ==
  /\ request = "sent"
  /\ IF registered = Member THEN
       /\ request' = "served"
       /\ worker' = w
       /\ buffer' = N
       /\ task' = 1
       /\ stop' = "terminate"
     ELSE
       /\ request' = "refused"
       /\ UNCHANGED <<work, stop>>
  /\ UNCHANGED <<members, crashed>>

TerminatorRcvTerminate(w) == /\ stop = "terminate"
                             /\ w = worker
                             /\ stop' = "flush"
                             /\ UNCHANGED <<members, request, work, crashed>>

WorkerRcvFlush(w) == /\ stop = "flush"
                     /\ w = worker
                     /\ ~ crashed
                     /\ stop' = "none"
                     /\ buffer' = 0
                     /\ UNCHANGED <<members, request, worker, task, crashed>>

LooksFirst == task < N \/ Bug # "unchecked-last"

\* Worker w executes the next task of request r.
WorkerRcvExecute(w, r) == /\ task > 0
                          /\ w = worker
                          /\ ~ crashed
                          /\ IF buffer > 0 THEN
                               /\ buffer' = buffer - 1
                               /\ task' = IF task < N THEN task + 1 ELSE 0
                               /\ UNCHANGED crashed
                             ELSE
                               /\ task' = 0
                               /\ crashed' = ~ LooksFirst
                               /\ UNCHANGED buffer
                          /\ UNCHANGED <<members, request, worker, stop>>

Next == \/ TerminatorRegister
        \/ MasterRegisterTerminator
        \/ \E w \in Worker : \/ WorkerRegister(w)
                              \/ MasterRegisterWorker(w)
                              \/ MasterRcvRequest(w, TheRequest)
                              \/ TerminatorRcvTerminate(w)
                              \/ WorkerRcvFlush(w)
                              \/ WorkerRcvExecute(w, TheRequest)

Spec == Init /\ [][Next]_vars

NobodyCrashes == ~ crashed
==============================================================================
