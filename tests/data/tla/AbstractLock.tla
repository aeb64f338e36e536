---------------------------- MODULE AbstractLock ----------------------------
(* Somebody has it, or nobody: what FairLock comes to.                         *)
CONSTANTS Procs, None
VARIABLE owner
Get(p) == owner = None /\ owner' = p
Drop == owner # None /\ owner' = None
Next == Drop \/ \E p \in Procs : Get(p)
Weak == owner = None /\ [][Next]_owner /\ WF_owner(Drop)
Strong == Weak /\ \A p \in Procs : SF_owner(Get(p))
=============================================================================
