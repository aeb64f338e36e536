-------------------------------- MODULE Raft ---------------------------------
(***************************************************************************)
(* Raft with crashes, restarts and snapshots.                              *)
(*                                                                         *)
(* After Ongaro and Ousterhout, "In Search of an Understandable Consensus  *)
(* Algorithm" (2014). The actions, with their names and parameters, are    *)
(* those by which ModelFuzz follows an implementation: i is who acts, j    *)
(* who the message is from, the rest is what the message says.             *)
(*                                                                         *)
(* Messages are a set that only grows: each may be received many times, or *)
(* never, and in any order. A server says what it has to say at once: who  *)
(* is elected, who gets a request and who hears an answer sends what       *)
(* follows from it. An append carries one entry, or none (Nil).            *)
(*                                                                         *)
(* Trusting: there is no network. Whoever asks for an action says what the *)
(* message was that is handled, and is believed. So a program that really  *)
(* runs can be followed, which may send what would not be sent here.       *)
(*                                                                         *)
(* Left out: changes of membership, and snapshots that are sent. `log` is  *)
(* what a server's snapshot and the log behind it hold together; what a    *)
(* snapshot changes is how far a server that comes back has committed.     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, Sequences, TLC

CONSTANTS Server,    \* the servers
          Nil,       \* no server
          Value,     \* what clients ask for
          MaxTerm,   \* Next starts no election beyond this term
          MaxLog,    \* … no request where a log is that long,
          MaxDown,   \* … lets no more servers be down at a time,
          MaxSnapshots, \* … and no more servers have a snapshot
          Elections, \* "by messages" or "at once": how servers are elected in Next
          Trusting,  \* whether messages are believed that nobody has sent
          Bug        \* what is wrong with the protocol: "none", or one of Bugs

Bugs == {"none",
         "small-quorum",       \* one server less than a majority is enough
         "forgets-vote",       \* a server that comes back does not know whom it voted for
         "any-log",            \* a server votes for candidates whose log is behind its own
         "commit-old-term"}    \* entries of earlier terms are committed by counting

ASSUME Elections \in {"by messages", "at once"} /\ Trusting \in BOOLEAN /\ Bug \in Bugs

VARIABLES active,        \* the servers that are up
          currentTerm,   \* of each server, like all that follow
          votedFor,      \* … in its term
          log,           \* a sequence of entries
          snapshotIndex, \* how much of its log is in its snapshot
          state,          \* "follower", "candidate" or "leader"
          votesGranted,  \* who has voted for it, while it is a candidate
          matchIndex,    \* while it leads: how much of its log the others are known to have
          commitIndex,   \* how much of its log it knows to be committed
          sent           \* all messages that were ever sent

stable == <<currentTerm, votedFor, log, snapshotIndex>>
volatile == <<state, votesGranted, matchIndex, commitIndex>>
vars == <<active, stable, volatile, sent>>

------------------------------------------------------------------------------
Entry == [term : 1 .. MaxTerm, value : Value]
Index == 0 .. MaxLog
Term == 0 .. MaxTerm

Message ==      [type : {"ask"}, term : Term, from : Server, lastTerm : Term, lastIndex : Index]
           \cup [type : {"vote"}, term : Term, from : Server, to : Server, grant : BOOLEAN]
           \cup [type : {"append"}, term : Term, from : Server, to : Server, prevIndex : Index,
                 prevTerm : Term, entries : {<<>>} \cup {<<e>> : e \in Entry}, commit : Index]
           \cup [type : {"answer"}, term : Term, from : Server, to : Server,
                 success : BOOLEAN, match : Index]

TypeOK == /\ active \subseteq Server
          /\ currentTerm \in [Server -> Term]
          /\ votedFor \in [Server -> Server \cup {Nil}]
          /\ \A i \in Server : Len(log[i]) <= MaxLog /\ \A k \in DOMAIN log[i] : log[i][k] \in Entry
          /\ snapshotIndex \in [Server -> Index]
          /\ state \in [Server -> {"follower", "candidate", "leader"}]
          /\ votesGranted \in [Server -> SUBSET Server]
          /\ matchIndex \in [Server -> [Server -> Index]]
          /\ commitIndex \in [Server -> Index]
          /\ sent \subseteq Message

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b

IsQuorum(S) == IF Bug = "small-quorum" THEN 2 * Cardinality(S) >= Cardinality(Server) - 1
                                       ELSE 2 * Cardinality(S) > Cardinality(Server)

\* The term of an entry; 0 before the first.
TermAt(xs, k) == IF k = 0 THEN 0 ELSE xs[k].term
LastTerm(xs) == TermAt(xs, Len(xs))

Others(i) == Server \ {i}
NothingMatches == [j \in Server |-> 0]

Send(messages) == sent' = IF Trusting THEN sent ELSE sent \cup messages
Heard(message) == Trusting \/ message \in sent

Init == /\ active = Server
        /\ currentTerm = [i \in Server |-> 0]
        /\ votedFor = [i \in Server |-> Nil]
        /\ log = [i \in Server |-> <<>>]
        /\ snapshotIndex = [i \in Server |-> 0]
        /\ state = [i \in Server |-> "follower"]
        /\ votesGranted = [i \in Server |-> {}]
        /\ matchIndex = [i \in Server |-> NothingMatches]
        /\ commitIndex = [i \in Server |-> 0]
        /\ sent = {}

------------------------------------------------------------------------------
\* Who is up.

\* All that is not stable is gone; what is in the snapshot is known to be committed.
LoseVolatile(i) == /\ state' = [state EXCEPT ![i] = "follower"]
                   /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
                   /\ matchIndex' = [matchIndex EXCEPT ![i] = NothingMatches]
                   /\ commitIndex' = [commitIndex EXCEPT ![i] = snapshotIndex[i]]
                   /\ votedFor' = IF Bug = "forgets-vote" THEN [votedFor EXCEPT ![i] = Nil]
                                                          ELSE votedFor
                   /\ UNCHANGED <<currentTerm, log, snapshotIndex, sent>>

Restart(i) == /\ i \in active
              /\ LoseVolatile(i)
              /\ UNCHANGED active

RemoveFromActive(i) == /\ i \in active
                       /\ active' = active \ {i}
                       /\ LoseVolatile(i)

AddToActive(i) == /\ i \notin active
                  /\ active' = active \cup {i}
                  /\ UNCHANGED <<stable, volatile, sent>>

\* The first si entries are in the snapshot from now on.
UpdateSnapshotIndex(i, si) == /\ i \in active
                              /\ snapshotIndex[i] < si /\ si <= commitIndex[i]
                              /\ snapshotIndex' = [snapshotIndex EXCEPT ![i] = si]
                              /\ UNCHANGED <<active, currentTerm, votedFor, log, volatile, sent>>

------------------------------------------------------------------------------
\* Elections.

Timeout(i) == /\ i \in active
              /\ state[i] # "leader"
              /\ state' = [state EXCEPT ![i] = "candidate"]
              /\ currentTerm' = [currentTerm EXCEPT ![i] = @ + 1]
              /\ votedFor' = [votedFor EXCEPT ![i] = i]
              /\ votesGranted' = [votesGranted EXCEPT ![i] = {i}]
              /\ Send({[type |-> "ask", term |-> currentTerm[i] + 1, from |-> i,
                        lastTerm |-> LastTerm(log[i]), lastIndex |-> Len(log[i])]})
              /\ UNCHANGED <<active, log, snapshotIndex, matchIndex, commitIndex>>

\* A leader or candidate of an earlier term is a follower of this one.
Follow(i, term) ==
  /\ currentTerm' = [currentTerm EXCEPT ![i] = Max(@, term)]
  /\ state' = [state EXCEPT ![i] = IF term > currentTerm[i] THEN "follower" ELSE @]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = IF term > currentTerm[i] THEN {} ELSE @]
  /\ matchIndex' = [matchIndex EXCEPT ![i] = IF term > currentTerm[i] THEN NothingMatches ELSE @]

VoteIn(i, term) == IF term > currentTerm[i] THEN Nil ELSE votedFor[i]

\* Whether i would vote for j, whose log ends like that.
WouldVote(i, j, lTerm, lIndex, term) ==
  /\ term >= currentTerm[i]
  /\ VoteIn(i, term) \in {Nil, j}
  /\ \/ lTerm > LastTerm(log[i])
     \/ lTerm = LastTerm(log[i]) /\ lIndex >= Len(log[i])
     \/ Bug = "any-log"

\* Who refuses says nothing: to whom asks, that is the same as an answer that is lost.
HandleRequestVoteRequest(i, j, lTerm, lIndex, term) ==
  /\ i \in active /\ i # j
  /\ Heard([type |-> "ask", term |-> term, from |-> j, lastTerm |-> lTerm, lastIndex |-> lIndex])
  /\ term >= currentTerm[i]
  /\ IF WouldVote(i, j, lTerm, lIndex, term) THEN
       /\ votedFor' = [votedFor EXCEPT ![i] = j]
       /\ Send({[type |-> "vote", term |-> term, from |-> i, to |-> j, grant |-> TRUE]})
     ELSE
       /\ votedFor' = [votedFor EXCEPT ![i] = VoteIn(i, term)]
       /\ UNCHANGED sent
  /\ Follow(i, term)
  /\ UNCHANGED <<active, log, snapshotIndex, commitIndex>>

HandleRequestVoteResponse(i, j, term, grant) ==
  /\ i \in active /\ i # j
  /\ Heard([type |-> "vote", term |-> term, from |-> j, to |-> i, grant |-> grant])
  /\ term >= currentTerm[i]
  /\ IF term = currentTerm[i] THEN
       /\ state[i] = "candidate" /\ grant
       /\ votesGranted' = [votesGranted EXCEPT ![i] = @ \cup {j}]
       /\ UNCHANGED <<currentTerm, votedFor, state, matchIndex>>
     ELSE
       /\ votedFor' = [votedFor EXCEPT ![i] = Nil]
       /\ Follow(i, term)
  /\ UNCHANGED <<active, log, snapshotIndex, commitIndex, sent>>

\* A leader tells j what follows the first `match` entries of its log, if anything does, and how far
\* the log is committed.
AppendAfter(i, j, match, commit) ==
  [type |-> "append", term |-> currentTerm[i], from |-> i, to |-> j,
   prevIndex |-> match, prevTerm |-> TermAt(log[i], match),
   entries |-> IF match < Len(log[i]) THEN <<log[i][match + 1]>> ELSE <<>>, commit |-> commit]

\* It begins with what its own log ends with.
Lead(i) == /\ state' = [state EXCEPT ![i] = "leader"]
           /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
           /\ matchIndex' = [matchIndex EXCEPT ![i] = NothingMatches]

Greetings(i, term) == {[type |-> "append", term |-> term, from |-> i, to |-> j,
                        prevIndex |-> Len(log[i]), prevTerm |-> LastTerm(log[i]),
                        entries |-> <<>>, commit |-> commitIndex[i]] : j \in Others(i)}

BecomeLeader(i) == /\ i \in active
                   /\ state[i] = "candidate"
                   /\ IsQuorum(votesGranted[i])
                   /\ Lead(i)
                   /\ Send(Greetings(i, currentTerm[i]))
                   /\ UNCHANGED <<active, stable, commitIndex>>

\* A whole election as one step: i stands in the next term, a quorum votes for it, it leads. The
\* quorum is as small as quorums can be, and all that are up take part that have to.
ElectLeader(i) ==
  /\ i \in active
  /\ state[i] # "leader"
  /\ LET term == currentTerm[i] + 1
     IN  \E Q \in SUBSET active :
           /\ i \in Q /\ IsQuorum(Q)
           /\ \A j \in Q \ {i} : /\ ~ IsQuorum(Q \ {j})
                                 /\ WouldVote(j, i, LastTerm(log[i]), Len(log[i]), term)
           /\ currentTerm' = [j \in Server |-> IF j \in Q THEN term ELSE currentTerm[j]]
           /\ votedFor' = [j \in Server |-> IF j \in Q THEN i ELSE votedFor[j]]
           /\ state' = [j \in Server |-> IF j = i THEN "leader"
                                        ELSE IF j \in Q THEN "follower" ELSE state[j]]
           /\ votesGranted' = [j \in Server |-> IF j \in Q THEN {} ELSE votesGranted[j]]
           /\ matchIndex' = [j \in Server |-> IF j \in Q THEN NothingMatches ELSE matchIndex[j]]
           /\ Send(Greetings(i, term))
  /\ UNCHANGED <<active, log, snapshotIndex, commitIndex>>

------------------------------------------------------------------------------
\* Requests, and how they get to all servers.

ClientRequest(i, v) ==
  /\ i \in active
  /\ state[i] = "leader"
  /\ LET entry == [term |-> currentTerm[i], value |-> v]
     IN  /\ log' = [log EXCEPT ![i] = Append(@, entry)]
         /\ Send({[type |-> "append", term |-> currentTerm[i], from |-> i, to |-> j,
                   prevIndex |-> Len(log[i]), prevTerm |-> LastTerm(log[i]),
                   entries |-> <<entry>>, commit |-> commitIndex[i]] : j \in Others(i)})
  /\ UNCHANGED <<active, currentTerm, votedFor, snapshotIndex, volatile>>

Answer(i, j, term, success, match) ==
  Send({[type |-> "answer", term |-> term, from |-> i, to |-> j,
         success |-> success, match |-> match]})

\* What both kinds of appends come to. Who is behind says how much it might have; who knows of a
\* later term says nothing.
HandleAppend(i, j, pLogIndex, pLogTerm, term, entries, cIndex) ==
  /\ i \in active /\ i # j
  /\ Heard([type |-> "append", term |-> term, from |-> j, to |-> i, prevIndex |-> pLogIndex,
            prevTerm |-> pLogTerm, entries |-> entries, commit |-> cIndex])
  /\ IF term = currentTerm[i] THEN state[i] # "leader" ELSE term > currentTerm[i]
  /\ currentTerm' = [currentTerm EXCEPT ![i] = term]
  /\ votedFor' = [votedFor EXCEPT ![i] = VoteIn(i, term)]
  /\ state' = [state EXCEPT ![i] = "follower"]
  /\ votesGranted' = [votesGranted EXCEPT ![i] = {}]
  /\ matchIndex' = [matchIndex EXCEPT ![i] = NothingMatches]
  /\ LET fits == pLogIndex <= Len(log[i]) /\ TermAt(log[i], pLogIndex) = pLogTerm
         match == pLogIndex + Len(entries)
         has == match <= Len(log[i]) /\ (entries = <<>> \/ log[i][match] = entries[1])
     IN  IF fits THEN
           /\ log' = [log EXCEPT ![i] = IF has THEN @ ELSE SubSeq(@, 1, pLogIndex) \o entries]
           /\ commitIndex' = [commitIndex EXCEPT ![i] = Max(@, Min(cIndex, match))]
           /\ Answer(i, j, term, TRUE, match)
         ELSE
           /\ Answer(i, j, term, FALSE, Min(Len(log[i]), pLogIndex - 1))
           /\ UNCHANGED <<log, commitIndex>>
  /\ UNCHANGED <<active, snapshotIndex>>

HandleNilAppendEntriesRequest(i, j, pLogIndex, pLogTerm, term, cIndex) ==
  /\ cIndex \in Nat
  /\ HandleAppend(i, j, pLogIndex, pLogTerm, term, <<>>, cIndex)

HandleAppendEntriesRequest(i, j, pLogIndex, pLogTerm, term, entryTerm, entryValue, cIndex) ==
  /\ entryTerm \in Nat
  /\ HandleAppend(i, j, pLogIndex, pLogTerm, term,
                  <<[term |-> entryTerm, value |-> entryValue]>>, cIndex)

\* The longest part of a leader's log that a quorum has, if it ends in an entry of this term.
Committed(i, match) ==
  LET agreed == {k \in 1 .. Len(log[i]) :
                   /\ log[i][k].term = currentTerm[i] \/ Bug = "commit-old-term"
                   /\ IsQuorum({i} \cup {j \in Others(i) : match[j] >= k})}
  IN  CHOOSE k \in agreed \cup {0} : \A other \in agreed : other <= k

HandleAppendEntriesResponse(i, j, term, success, mIndex) ==
  /\ i \in active /\ i # j
  /\ Heard([type |-> "answer", term |-> term, from |-> j, to |-> i,
            success |-> success, match |-> mIndex])
  /\ \/ /\ term > currentTerm[i]
        /\ votedFor' = [votedFor EXCEPT ![i] = Nil]
        /\ Follow(i, term)
        /\ UNCHANGED <<commitIndex, sent>>
     \/ /\ term = currentTerm[i]
        /\ state[i] = "leader"
        /\ mIndex <= Len(log[i])
        /\ LET match == [matchIndex[i] EXCEPT ![j] = IF success THEN Max(@, mIndex) ELSE @]
               commit == Max(commitIndex[i], Committed(i, match))
           IN  /\ matchIndex' = [matchIndex EXCEPT ![i] = match]
               /\ commitIndex' = [commitIndex EXCEPT ![i] = commit]
               /\ Send({AppendAfter(i, k, IF k = j THEN mIndex ELSE match[k], commit) :
                          k \in {k \in Others(i) :
                                   \/ commit > commitIndex[i]
                                   \/ k = j /\ mIndex < Len(log[i])}})
        /\ UNCHANGED <<currentTerm, votedFor, state, votesGranted>>
  /\ UNCHANGED <<active, log, snapshotIndex>>

------------------------------------------------------------------------------
Elect(i) == IF Elections = "at once" THEN ElectLeader(i)
                                     ELSE Timeout(i)

MaySnapshot(i) == Cardinality({i} \cup {j \in Server : snapshotIndex[j] > 0}) <= MaxSnapshots

Next ==
  \/ \E i \in Server : currentTerm[i] < MaxTerm /\ Elect(i)
  \/ \E i \in Server : BecomeLeader(i)
  \/ \E i \in Server, v \in Value : Len(log[i]) < MaxLog /\ ClientRequest(i, v)
  \/ \E m \in {m \in sent : m.type = "ask"} : \E i \in Others(m.from) :
       HandleRequestVoteRequest(i, m.from, m.lastTerm, m.lastIndex, m.term)
  \/ \E m \in {m \in sent : m.type = "vote"} :
       HandleRequestVoteResponse(m.to, m.from, m.term, m.grant)
  \/ \E m \in {m \in sent : m.type = "append" /\ m.entries = <<>>} :
       HandleNilAppendEntriesRequest(m.to, m.from, m.prevIndex, m.prevTerm, m.term, m.commit)
  \/ \E m \in {m \in sent : m.type = "append" /\ m.entries # <<>>} :
       HandleAppendEntriesRequest(m.to, m.from, m.prevIndex, m.prevTerm, m.term,
                                  m.entries[1].term, m.entries[1].value, m.commit)
  \/ \E m \in {m \in sent : m.type = "answer"} :
       HandleAppendEntriesResponse(m.to, m.from, m.term, m.success, m.match)
  \/ \E i \in Server : \E si \in 1 .. commitIndex[i] :
       MaySnapshot(i) /\ UpdateSnapshotIndex(i, si)
  \/ \E i \in Server : MaxDown > 0 /\ Restart(i)
  \/ \E i \in Server : Cardinality(Server \ active) < MaxDown /\ RemoveFromActive(i)
  \/ \E i \in Server : AddToActive(i)

Spec == Init /\ [][Next]_vars

\* For following a program that runs, one action after the other (Trusting): nobody goes through all
\* of these steps.
Step(i, j) ==
  \/ Timeout(i) \/ BecomeLeader(i) \/ ElectLeader(i)
  \/ Restart(i) \/ RemoveFromActive(i) \/ AddToActive(i)
  \/ \E v \in Value : ClientRequest(i, v)
  \/ \E si \in Nat : UpdateSnapshotIndex(i, si)
  \/ \E term, lTerm, lIndex \in Nat : HandleRequestVoteRequest(i, j, lTerm, lIndex, term)
  \/ \E term \in Nat, grant \in BOOLEAN : HandleRequestVoteResponse(i, j, term, grant)
  \/ \E term, pLogIndex, pLogTerm, cIndex \in Nat :
       \/ HandleNilAppendEntriesRequest(i, j, pLogIndex, pLogTerm, term, cIndex)
       \/ \E entryTerm \in Nat, entryValue \in Value :
            HandleAppendEntriesRequest(i, j, pLogIndex, pLogTerm, term, entryTerm, entryValue,
                                       cIndex)
  \/ \E term, mIndex \in Nat, success \in BOOLEAN :
       HandleAppendEntriesResponse(i, j, term, success, mIndex)

FollowSpec == Init /\ [][\E i, j \in Server : Step(i, j)]_vars

------------------------------------------------------------------------------
\* What must be true (figure 3 of the paper).

Leaders == {i \in Server : state[i] = "leader"}

\* At most one leader in a term, of all that ever spoke as one.
ElectionSafety ==
  /\ \A i, j \in Leaders : currentTerm[i] = currentTerm[j] => i = j
  /\ LET appends == {m \in sent : m.type = "append"}
     IN  \A a, b \in appends : a.term = b.term => a.from = b.from

\* Logs that have an entry of the same index and term are the same up to it.
LogMatching ==
  \A i, j \in Server : \A k \in 1 .. Min(Len(log[i]), Len(log[j])) :
    log[i][k].term = log[j][k].term => SubSeq(log[i], 1, k) = SubSeq(log[j], 1, k)

\* What is known to be committed is in the log of every leader of that term and of later ones.
LeaderCompleteness ==
  \A i \in Leaders, j \in Server : currentTerm[j] <= currentTerm[i] =>
    /\ commitIndex[j] <= Len(log[i])
    /\ SubSeq(log[j], 1, commitIndex[j]) = SubSeq(log[i], 1, commitIndex[j])

\* No two servers apply different entries at an index.
StateMachineSafety ==
  \A i, j \in Server : \A k \in 1 .. Min(commitIndex[i], commitIndex[j]) : log[i][k] = log[j][k]

\* Nothing that is in a snapshot can be taken back.
SnapshotsAreCommitted == \A i \in Server : /\ snapshotIndex[i] <= commitIndex[i]
                                           /\ commitIndex[i] <= Len(log[i])

\* A leader never changes its log but by appending to it.
LeaderAppendOnly ==
  [][\A i \in Server : state[i] = "leader" /\ state'[i] = "leader" =>
       /\ Len(log[i]) <= Len(log'[i])
       /\ SubSeq(log'[i], 1, Len(log[i])) = log[i]]_vars

\* Terms only grow.
TermsGrow == [][\A i \in Server : currentTerm[i] <= currentTerm'[i]]_vars

Alike == Permutations(Server)
==============================================================================
