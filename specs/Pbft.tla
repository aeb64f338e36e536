-------------------------------- MODULE Pbft ---------------------------------
(***************************************************************************)
(* Practical Byzantine fault tolerance: replicas agree on a request,       *)
(* although less than a third of them may say whatever they like.          *)
(*                                                                         *)
(* After Castro and Liskov, "Practical Byzantine Fault Tolerance" (1999):  *)
(* the three phases and view changes, for one sequence number. The primary *)
(* of a view proposes a request; who accepts the proposal prepares it; who *)
(* hears that a quorum does is prepared and commits; who hears that a      *)
(* quorum commits has decided. A replica that leaves a view tells what it  *)
(* was prepared for last. The proposal of a later view has to follow from  *)
(* what a quorum tells.                                                    *)
(*                                                                         *)
(* Messages are a set that only grows, and are signed: what a Byzantine    *)
(* replica could sign is there at all times. It proposes one thing to one  *)
(* and another thing to another, votes for everything, and tells of any    *)
(* view that it can prove. The bugs have the names of the subject pbft     *)
(* (protocols/pbft/).                                                      *)
(*                                                                         *)
(* Left out: clients, sequences of requests, checkpoints, and when views   *)
(* are left: at any time. Messages about a view prove what they say, as in *)
(* the paper; here, what is proved is looked up among all that was sent.   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS N,         \* how many replicas: 1 .. N; 1 leads in view 0
          Byzantine, \* those of them that are
          Request,   \* what can be agreed upon; positive numbers
          Views,     \* how many views there can be
          Bug        \* what is wrong with the protocol: "none", or one of Bugs

Bugs == {"none",
         "small-prepare-quorum",  \* one vote less is enough to be prepared
         "small-commit-quorum",   \* one vote less is enough to decide
         "two-proposals",         \* a second proposal in a view is accepted like the first
         "forgets-prepared",      \* who leaves a view does not tell what it was prepared for
         "oldest-certificate",    \* of what is told, a new view takes the oldest
         "trusts-new-view"}       \* whatever the primary of a later view proposes is accepted

Replica == 1 .. N
Correct == Replica \ Byzantine
Faults == (N - 1) \div 3
View == 0 .. Views - 1

ASSUME Byzantine \subseteq Replica /\ Request \subseteq Nat \ {0} /\ Bug \in Bugs

VARIABLES view,       \* of each correct replica: the view that it is in
          accepted,   \* … the requests that it has accepted in its view; one at most
          prepared,   \* … what it was prepared for last, and in which view
          decided,    \* … what it has decided
          sent        \* all messages that correct replicas ever sent

vars == <<view, accepted, prepared, decided, sent>>

Nothing == [view |-> 0, request |-> 0]
Certificate == [view : View, request : Request]

Message ==
       [type : {"propose", "prepare", "commit"}, view : View, request : Request, by : Correct]
  \cup [type : {"leave"}, view : View, certificate : Certificate \cup {Nothing}, by : Correct]

TypeOK == /\ view \in [Correct -> View]
          /\ accepted \in [Correct -> SUBSET Request]
          /\ prepared \in [Correct -> Certificate \cup {Nothing}]
          /\ decided \in [Correct -> SUBSET Request]
          /\ sent \subseteq Message

Init == /\ view = [i \in Correct |-> 0]
        /\ accepted = [i \in Correct |-> {}]
        /\ prepared = [i \in Correct |-> Nothing]
        /\ decided = [i \in Correct |-> {}]
        /\ sent = {}

Primary(v) == (v % N) + 1

\* Any two quorums have a correct replica in common.
Quorum == (N + Faults) \div 2 + 1

Send(type, v, r, i) == sent' = sent \cup {[type |-> type, view |-> v, request |-> r, by |-> i]}

\* Who says so, of all replicas. The Byzantine ones do, if it is of use.
Saying(type, v, r) == Byzantine \cup {i \in Correct :
                        [type |-> type, view |-> v, request |-> r, by |-> i] \in sent}

\* The proposal of the primary counts as its vote.
Prepares(v, r) == Saying("prepare", v, r) \cup (Saying("propose", v, r) \cap {Primary(v)})

IsPrepared(v, r) == Cardinality(Prepares(v, r)) >=
                      (IF Bug = "small-prepare-quorum" THEN Quorum - 1 ELSE Quorum)

------------------------------------------------------------------------------
\* What may be proposed in a later view.

\* What i can be heard to say when it goes to view v.
Told(v, i) == IF i \in Correct
                THEN {m.certificate : m \in {m \in sent : /\ m.type = "leave"
                                                          /\ m.view = v /\ m.by = i}}
                ELSE {Nothing} \cup {c \in Certificate : /\ c.view < v
                                                         /\ IsPrepared(c.view, c.request)}

Comes(c, d) == IF Bug = "oldest-certificate" THEN c.view <= d.view ELSE c.view >= d.view

\* A quorum of replicas tell what they were prepared for, and r is the latest of that; or they tell
\* nothing, and it may be anything.
Follows(v, r) ==
  \/ Cardinality({i \in Replica : Nothing \in Told(v, i)}) >= Quorum
  \/ \E c \in Certificate :
       /\ c.request = r
       /\ \E i \in Replica : c \in Told(v, i)
       /\ Cardinality({i \in Replica : \E d \in Told(v, i) : d = Nothing \/ Comes(c, d)}) >= Quorum

MayPropose(v, r) == v = 0 \/ Follows(v, r)

------------------------------------------------------------------------------
\* What correct replicas do.

Propose(i, r) ==
  /\ i = Primary(view[i])
  /\ accepted[i] = {}
  /\ MayPropose(view[i], r)
  /\ accepted' = [accepted EXCEPT ![i] = {r}]
  /\ Send("propose", view[i], r, i)
  /\ UNCHANGED <<view, prepared, decided>>

Accept(i, r) ==
  /\ i # Primary(view[i])
  /\ Primary(view[i]) \in Saying("propose", view[i], r)
  /\ accepted[i] = {} \/ (Bug = "two-proposals" /\ r \notin accepted[i])
  /\ Bug = "trusts-new-view" \/ MayPropose(view[i], r)
  /\ accepted' = [accepted EXCEPT ![i] = @ \cup {r}]
  /\ Send("prepare", view[i], r, i)
  /\ UNCHANGED <<view, prepared, decided>>

Commit(i, r) ==
  /\ r \in accepted[i]
  /\ IsPrepared(view[i], r)
  /\ prepared' = [prepared EXCEPT ![i] = [view |-> view[i], request |-> r]]
  /\ Send("commit", view[i], r, i)
  /\ UNCHANGED <<view, accepted, decided>>

Decide(i, r) ==
  /\ prepared[i] = [view |-> view[i], request |-> r]
  /\ r \notin decided[i]
  /\ Cardinality(Saying("commit", view[i], r)) >=
       (IF Bug = "small-commit-quorum" THEN Quorum - 1 ELSE Quorum)
  /\ decided' = [decided EXCEPT ![i] = @ \cup {r}]
  /\ UNCHANGED <<view, accepted, prepared, sent>>

Leave(i) ==
  /\ view[i] + 1 \in View
  /\ view' = [view EXCEPT ![i] = @ + 1]
  /\ accepted' = [accepted EXCEPT ![i] = {}]
  /\ LET tells == IF Bug = "forgets-prepared" THEN Nothing ELSE prepared[i]
     IN  sent' = sent \cup {[type |-> "leave", view |-> view[i] + 1, certificate |-> tells,
                             by |-> i]}
  /\ UNCHANGED <<prepared, decided>>

Next == \E i \in Correct : \/ Leave(i)
                           \/ \E r \in Request : \/ Propose(i, r)
                                                 \/ Accept(i, r)
                                                 \/ Commit(i, r)
                                                 \/ Decide(i, r)

Spec == Init /\ [][Next]_vars

------------------------------------------------------------------------------
\* No two correct replicas decide differently, in whatever views.
Agreement == \A i, j \in Correct : \A r \in decided[i], s \in decided[j] : r = s

\* In a view, no two requests can be prepared.
OneCertificateInAView == \A v \in View : \A r, s \in Request :
                           IsPrepared(v, r) /\ IsPrepared(v, s) => r = s

\* Once decided, always decided.
Final == [][\A i \in Correct : decided[i] \subseteq decided'[i]]_vars
==============================================================================
