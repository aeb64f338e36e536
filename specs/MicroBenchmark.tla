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
(* Left out: what tasks do. A master serves one request.                   *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS M,       \* how many workers
          N,       \* how many tasks a request is divided into
          Bug      \* what is wrong: "none", or "unchecked-last"

ASSUME M \in Nat \ {0} /\ N \in Nat \ {0} /\ Bug \in {"none", "unchecked-last"}

VARIABLES registered,  \* who has registered with the master
          request,     \* of the client: "sent", "refused" or "served"
          worker,      \* who got the request; 0: nobody
          buffer,      \* how many tasks of it wait in the worker's buffer
          task,        \* the number of the task that is on its way to the worker; 0: none
          stop,        \* what is on its way: "terminate" to the terminator, "flush" to the worker
          crashed      \* whether the worker did

vars == <<registered, request, worker, buffer, task, stop, crashed>>

Worker == 1 .. M
Terminator == M + 1

TypeOK == /\ registered \subseteq Worker \cup {Terminator}
          /\ request \in {"sent", "refused", "served"}
          /\ worker \in Worker \cup {0}
          /\ buffer \in 0 .. N
          /\ task \in 0 .. N
          /\ stop \in {"none", "terminate", "flush"}
          /\ crashed \in BOOLEAN

Init == /\ registered = {}
        /\ request = "sent"
        /\ worker = 0
        /\ buffer = 0
        /\ task = 0
        /\ stop = "none"
        /\ crashed = FALSE

Register(p) == /\ p \notin registered
               /\ registered' = registered \cup {p}
               /\ UNCHANGED <<request, worker, buffer, task, stop, crashed>>

Refuse == /\ request = "sent"
          /\ registered # Worker \cup {Terminator}
          /\ request' = "refused"
          /\ UNCHANGED <<registered, worker, buffer, task, stop, crashed>>

Request(w) == /\ request = "sent"
              /\ registered = Worker \cup {Terminator}
              /\ request' = "served"
              /\ worker' = w
              /\ buffer' = N
              /\ task' = 1
              /\ stop' = "terminate"
              /\ UNCHANGED <<registered, crashed>>

Terminate == /\ stop = "terminate"
             /\ stop' = "flush"
             /\ UNCHANGED <<registered, request, worker, buffer, task, crashed>>

Flush == /\ stop = "flush"
         /\ ~ crashed
         /\ stop' = "none"
         /\ buffer' = 0
         /\ UNCHANGED <<registered, request, worker, task, crashed>>

Looks(k) == k < N \/ Bug # "unchecked-last"

Execute(k) == /\ task = k /\ k > 0
              /\ ~ crashed
              /\ IF buffer > 0 THEN
                   /\ buffer' = buffer - 1
                   /\ task' = IF k < N THEN k + 1 ELSE 0
                   /\ UNCHANGED crashed
                 ELSE
                   /\ task' = 0
                   /\ crashed' = ~ Looks(k)
                   /\ UNCHANGED buffer
              /\ UNCHANGED <<registered, request, worker, stop>>

Next == \/ \E p \in Worker \cup {Terminator} : Register(p)
        \/ Refuse
        \/ \E w \in Worker : Request(w)
        \/ Terminate
        \/ Flush
        \/ \E k \in 1 .. N : Execute(k)

Spec == Init /\ [][Next]_vars

NobodyCrashes == ~ crashed
==============================================================================
