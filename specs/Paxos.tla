-------------------------------- MODULE Paxos --------------------------------
(***************************************************************************)
(* Paxos: one value is agreed upon, by messages that may be lost, repeated *)
(* and reordered, among acceptors that may stop at any time.               *)
(*                                                                         *)
(* After Lamport, "Paxos Made Simple" (2001). Proposers have no state      *)
(* here: a ballot is prepared by whoever owns it, and what it may propose  *)
(* follows from the messages. Messages are a set that only grows. The      *)
(* acceptors do what those of the subject paxos do in the form with        *)
(* --nodes (protocols/paxos/node.h), and the bugs have its names.          *)
(*                                                                         *)
(* Left out: learners, who count the votes, and leaders: any ballot may be *)
(* begun at any time.                                                      *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Acceptor, Value,
          Ballot,  \* a set of positive numbers
          Bug      \* what is wrong with the protocol: "none", or one of Bugs

Bugs == {"none",
         "ignore-accepted",    \* a proposer ignores what its majority has accepted
         "forget-promise",     \* an acceptor accepts lower ballots than it promised
         "small-quorum"}       \* one vote less than a majority is enough

ASSUME Bug \in Bugs

VARIABLES promised,   \* of each acceptor: the highest ballot that it has heard of
          vote,       \* of each acceptor: its last vote; NoVote: none so far
          sent        \* all messages that were ever sent

vars == <<promised, vote, sent>>

NoVote == [ballot |-> 0]
Vote == [ballot : Ballot, value : Value]

Message ==      [type : {"prepare"}, ballot : Ballot]
           \cup [type : {"promise"}, ballot : Ballot, by : Acceptor, last : Vote \cup {NoVote}]
           \cup [type : {"accept"}, ballot : Ballot, value : Value]
           \cup [type : {"accepted"}, ballot : Ballot, value : Value, by : Acceptor]

TypeOK == /\ promised \in [Acceptor -> Ballot \cup {0}]
          /\ vote \in [Acceptor -> Vote \cup {NoVote}]
          /\ sent \subseteq Message

Quorum == LET needed == Cardinality(Acceptor) \div 2 + (IF Bug = "small-quorum" THEN 0 ELSE 1)
          IN  {Q \in SUBSET Acceptor : Cardinality(Q) >= needed}

Init == /\ promised = [a \in Acceptor |-> 0]
        /\ vote = [a \in Acceptor |-> NoVote]
        /\ sent = {}

Send(message) == sent' = sent \cup {message}

------------------------------------------------------------------------------
\* Who owns the ballot asks all acceptors not to vote below it any more.
Prepare(b) == /\ [type |-> "prepare", ballot |-> b] \notin sent
              /\ Send([type |-> "prepare", ballot |-> b])
              /\ UNCHANGED <<promised, vote>>

\* They promise, and tell what they voted for last.
Promise(a, b) == /\ [type |-> "prepare", ballot |-> b] \in sent
                 /\ b > promised[a]
                 /\ promised' = [promised EXCEPT ![a] = b]
                 /\ Send([type |-> "promise", ballot |-> b, by |-> a, last |-> vote[a]])
                 /\ UNCHANGED vote

Promises(b) == {m \in sent : m.type = "promise" /\ m.ballot = b}

\* The votes that a majority reports bind the proposer to the one of the highest ballot.
MayPropose(b, v) ==
  \E Q \in Quorum :
    LET heard == {m \in Promises(b) : m.by \in Q}
        votes == {m.last : m \in heard} \ {NoVote}
    IN  /\ {m.by : m \in heard} = Q
        /\ \/ votes = {}
           \/ Bug = "ignore-accepted"
           \/ \E highest \in votes : /\ highest.value = v
                                     /\ \A other \in votes : other.ballot <= highest.ballot

Propose(b, v) == /\ ~ \E m \in sent : m.type = "accept" /\ m.ballot = b
                 /\ MayPropose(b, v)
                 /\ Send([type |-> "accept", ballot |-> b, value |-> v])
                 /\ UNCHANGED <<promised, vote>>

Accept(a, b, v) == /\ [type |-> "accept", ballot |-> b, value |-> v] \in sent
                   /\ b >= promised[a] \/ Bug = "forget-promise"
                   /\ promised' = [promised EXCEPT ![a] = b]
                   /\ vote' = [vote EXCEPT ![a] = [ballot |-> b, value |-> v]]
                   /\ Send([type |-> "accepted", ballot |-> b, value |-> v, by |-> a])

Next == \E b \in Ballot : \/ Prepare(b)
                          \/ \E a \in Acceptor : Promise(a, b)
                          \/ \E v \in Value : \/ Propose(b, v)
                                              \/ \E a \in Acceptor : Accept(a, b, v)

Spec == Init /\ [][Next]_vars

------------------------------------------------------------------------------
\* All votes that were ever cast.
Votes == [a \in Acceptor |->
            {<<m.ballot, m.value>> : m \in {n \in sent : n.type = "accepted" /\ n.by = a}}]

Chosen == {v \in Value : \E b \in Ballot : \E Q \in Quorum : \A a \in Q : <<b, v>> \in Votes[a]}

Agreement == Cardinality(Chosen) <= 1

V == INSTANCE Voting WITH votes <- Votes

Refinement == V!Spec
==============================================================================
