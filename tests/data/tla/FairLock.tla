------------------------------ MODULE FairLock ------------------------------
(* A lock that several want: who is fair to whom.                              *)
EXTENDS Naturals, FiniteSets
CONSTANT Procs
VARIABLES pc, holder
vars == <<pc, holder>>
Nobody == 0
Init == pc = [p \in Procs |-> "idle"] /\ holder = Nobody
Want(p) == pc[p] = "idle" /\ pc' = [pc EXCEPT ![p] = "wants"] /\ UNCHANGED holder
Take(p) == /\ pc[p] = "wants" /\ holder = Nobody
           /\ pc' = [pc EXCEPT ![p] = "has"] /\ holder' = p
Give(p) == /\ pc[p] = "has"
           /\ pc' = [pc EXCEPT ![p] = "idle"] /\ holder' = Nobody
Next == \E p \in Procs : Want(p) \/ Take(p) \/ Give(p)
Safety == Init /\ [][Next]_vars
WeakLock == Safety /\ \A p \in Procs : WF_vars(Take(p)) /\ WF_vars(Give(p))
StrongLock == Safety /\ \A p \in Procs : SF_vars(Take(p)) /\ WF_vars(Give(p))
SomeLock == Safety /\ WF_vars(\E p \in Procs : Take(p)) /\ \A p \in Procs : WF_vars(Give(p))
Served == \A p \in Procs : pc[p] = "wants" ~> pc[p] = "has"
SomeServed == (\E p \in Procs : pc[p] = "wants") ~> (\E p \in Procs : pc[p] = "has")
Freed == []<>(holder = Nobody)
Exclusive == [](Cardinality({p \in Procs : pc[p] = "has"}) <= 1)
Lock == INSTANCE AbstractLock WITH owner <- holder, None <- Nobody
RefinesWeakly == Lock!Weak
RefinesStrongly == Lock!Strong
=============================================================================
