---------------------------- MODULE ModelValues ----------------------------
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Nodes, NoNode, Leaders, A_one, Untyped
VARIABLES votes, leader
ASSUME NoNode \notin Nodes /\ Untyped # 3 /\ Untyped # "Untyped" /\ Untyped # {} /\ Untyped # <<1>>
ASSUME A_one \in {A_one} /\ Cardinality(Nodes \cup {NoNode, Untyped}) = 5
Majority == {Q \in SUBSET Nodes : 2 * Cardinality(Q) > Cardinality(Nodes)}
Init == votes = [n \in Nodes |-> {}] /\ leader = NoNode
Vote(n, c) == /\ \A m \in Nodes : n \notin votes[m]
              /\ votes' = [votes EXCEPT ![c] = @ \cup {n}]
              /\ UNCHANGED leader
Win(c) == /\ leader = NoNode
          /\ c \in Leaders
          /\ votes[c] \in Majority
          /\ leader' = c
          /\ UNCHANGED votes
Next == \E c \in Nodes : Win(c) \/ \E n \in Nodes : Vote(n, c)
Vars == <<votes, leader>>
Spec == Init /\ [][Next]_Vars
Sym == Permutations(Nodes)
SymLeaders == Permutations(Leaders) \cup Permutations(Nodes \ Leaders)
OneLeader == leader # NoNode => votes[leader] \in Majority
Chosen == CHOOSE n \in Nodes : TRUE
=============================================================================
