------------------------------- MODULE Voting --------------------------------
(***************************************************************************)
(* How majorities agree by voting, without a word about messages.          *)
(*                                                                         *)
(* The middle of the stair from Paxos.tla to Consensus.tla. Acceptors vote *)
(* in ballots, which are numbered. A value is chosen when a majority has   *)
(* voted for it in one ballot. What an acceptor votes for has to be safe:  *)
(* nothing else can have been chosen, or be chosen later, in a ballot      *)
(* below.                                                                  *)
(*                                                                         *)
(* Left out: how an acceptor finds out that a value is safe.               *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Acceptor, Value,
          Ballot   \* a set of positive numbers

ASSUME Ballot \subseteq Nat \ {0}

VARIABLES votes,      \* of each acceptor: pairs of a ballot and a value
          promised    \* of each acceptor: it votes in no ballot below this one

vars == <<votes, promised>>

Majority == {Q \in SUBSET Acceptor : 2 * Cardinality(Q) > Cardinality(Acceptor)}

TypeOK == /\ votes \in [Acceptor -> SUBSET (Ballot \X Value)]
          /\ promised \in [Acceptor -> Ballot \cup {0}]

Init == /\ votes = [a \in Acceptor |-> {}]
        /\ promised = [a \in Acceptor |-> 0]

------------------------------------------------------------------------------
(***************************************************************************)
(* A majority shows that v is safe in ballot b when none of it will vote   *)
(* below b any more, and the last vote below b that one of it has cast, if *)
(* any, was for v.                                                         *)
(***************************************************************************)
ShowsSafe(Q, b, v) ==
  LET below == {vote \in UNION {votes[a] : a \in Q} : vote[1] < b}
  IN  /\ \A a \in Q : promised[a] >= b
      /\ below # {} => \E last \in below : /\ last[2] = v
                                           /\ \A vote \in below : vote[1] <= last[1]

Promise(a, b) == /\ b > promised[a]
                 /\ promised' = [promised EXCEPT ![a] = b]
                 /\ UNCHANGED votes

Vote(a, b, v) == /\ promised[a] <= b
                 /\ \A other \in Acceptor : \A vote \in votes[other] : vote[1] = b => vote[2] = v
                 /\ \E Q \in Majority : ShowsSafe(Q, b, v)
                 /\ votes' = [votes EXCEPT ![a] = @ \cup {<<b, v>>}]
                 /\ promised' = [promised EXCEPT ![a] = b]

Next == \E a \in Acceptor, b \in Ballot : \/ Promise(a, b)
                                          \/ \E v \in Value : Vote(a, b, v)

Spec == Init /\ [][Next]_vars

------------------------------------------------------------------------------
ChosenIn(b, v) == \E Q \in Majority : \A a \in Q : <<b, v>> \in votes[a]

Chosen == {v \in Value : \E b \in Ballot : ChosenIn(b, v)}

C == INSTANCE Consensus WITH chosen <- Chosen

Agreement == C!Agreement
Refinement == C!Spec

OneValueInABallot == \A a, b \in Acceptor : \A v \in votes[a], w \in votes[b] :
                       v[1] = w[1] => v[2] = w[2]
==============================================================================
