// What is defined in TLA+: relations and graphs.
#include "language/tla/library/modules.h"

namespace ordeal::tla {

const std::string_view kRelationText = R"tla(---- MODULE Relation ----
EXTENDS Naturals, FiniteSets

LOCAL Table(op(_, _), S) == [p \in S \X S |-> op(p[1], p[2])]

IsReflexive(R, S) == \A x \in S : R[x, x]
IsIrreflexive(R, S) == \A x \in S : ~R[x, x]
IsSymmetric(R, S) == \A x, y \in S : R[x, y] <=> R[y, x]
IsAntiSymmetric(R, S) == \A x, y \in S : R[x, y] /\ R[y, x] => x = y
IsAsymmetric(R, S) == \A x, y \in S : ~(R[x, y] /\ R[y, x])
IsTransitive(R, S) == \A x, y \in S : R[x, y] => \A z \in S : R[y, z] => R[x, z]
IsStrictlyPartiallyOrdered(R, S) ==
  IsIrreflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsPartiallyOrdered(R, S) == IsReflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsStrictlyTotallyOrdered(R, S) ==
  IsStrictlyPartiallyOrdered(R, S) /\ \A x, y \in S : x # y => R[x, y] \/ R[y, x]
IsTotallyOrdered(R, S) == IsPartiallyOrdered(R, S) /\ \A x, y \in S : R[x, y] \/ R[y, x]
IsConnected(R, S) ==
  LET closure == ReflexiveTransitiveClosure(R, S) IN \A x, y \in S : closure[x, y]

IsReflexiveUnder(op(_, _), S) == IsReflexive(Table(op, S), S)
IsIrreflexiveUnder(op(_, _), S) == IsIrreflexive(Table(op, S), S)
IsSymmetricUnder(op(_, _), S) == IsSymmetric(Table(op, S), S)
IsAntiSymmetricUnder(op(_, _), S) == IsAntiSymmetric(Table(op, S), S)
IsAsymmetricUnder(op(_, _), S) == IsAsymmetric(Table(op, S), S)
IsTransitiveUnder(op(_, _), S) == IsTransitive(Table(op, S), S)
IsStrictlyPartiallyOrderedUnder(op(_, _), S) == IsStrictlyPartiallyOrdered(Table(op, S), S)
IsPartiallyOrderedUnder(op(_, _), S) == IsPartiallyOrdered(Table(op, S), S)
IsStrictlyTotallyOrderedUnder(op(_, _), S) == IsStrictlyTotallyOrdered(Table(op, S), S)
IsTotallyOrderedUnder(op(_, _), S) == IsTotallyOrdered(Table(op, S), S)
====)tla";

const std::string_view kGraphsText = R"tla(---- MODULE Graphs ----
EXTENDS Naturals, Sequences, FiniteSets, SequencesExt, Relation

IsDirectedGraph(G) ==
  /\ G = [node |-> G.node, edge |-> G.edge]
  /\ G.edge \subseteq (G.node \X G.node)
IsUndirectedGraph(G) == IsDirectedGraph(G) /\ \A e \in G.edge : <<e[2], e[1]>> \in G.edge
DirectedSubgraph(G) ==
  {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsDirectedGraph(H)}
UndirectedSubgraph(G) == {H \in DirectedSubgraph(G) : IsUndirectedGraph(H)}
Transpose(G) == [node |-> G.node, edge |-> {<<e[2], e[1]>> : e \in G.edge}]
GraphUnion(G, H) == [node |-> G.node \cup H.node, edge |-> G.edge \cup H.edge]
EmptyGraph == [node |-> {}, edge |-> {}]
Graphs(S) == [node : {S}, edge : SUBSET (S \X S)]

Path(G) ==
  {p \in Seq(G.node) : p # <<>> /\ \A i \in 1..(Len(p) - 1) : <<p[i], p[i + 1]>> \in G.edge}

Successors(G, n) == {m \in G.node : <<n, m>> \in G.edge}
Predecessors(G, n) == {m \in G.node : <<m, n>> \in G.edge}
AllSuccessors(G, S) == UNION {Successors(G, n) : n \in S}
AllPredecessors(G, S) == UNION {Predecessors(G, n) : n \in S}
Descendants(G, n) == {m \in G.node : \E k \in Successors(G, n) : AreConnectedIn(k, m, G)}
Ancestors(G, n) == {m \in G.node : \E k \in Predecessors(G, n) : AreConnectedIn(m, k, G)}
InDegree(G, n) == Cardinality(Predecessors(G, n))
OutDegree(G, n) == Cardinality(Successors(G, n))
Roots(G) == {n \in G.node : Predecessors(G, n) = {}}
Leaves(G) == {n \in G.node : Successors(G, n) = {}}

IsTreeWithRoot(G, r) ==
  /\ IsDirectedGraph(G)
  /\ r \in G.node
  /\ \A e \in G.edge : e[1] # r /\ \A f \in G.edge : e[1] = f[1] => e = f
  /\ \A n \in G.node : AreConnectedIn(n, r, G)
IsBipartiteWithPartitions(G, U, V) ==
  /\ U \cap V = {}
  /\ G.node \subseteq U \cup V
  /\ \A e \in G.edge : (e[1] \in U /\ e[2] \in V) \/ (e[1] \in V /\ e[2] \in U)
HasCycle(G) ==
  LET way == ConnectionsIn(G)
  IN  \/ \E n \in G.node : <<n, n>> \in G.edge
      \/ \E m, n \in G.node : m # n /\ way[m, n] /\ way[n, m]
IsDag(G) == IsDirectedGraph(G) /\ ~HasCycle(G)
====)tla";

const std::string_view kUndirectedGraphsText = R"tla(---- MODULE UndirectedGraphs ----
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences

IsUndirectedGraph(G) ==
  /\ G = [node |-> G.node, edge |-> G.edge]
  /\ \A e \in G.edge : \E a, b \in G.node : e = {a, b}
IsLoopFreeUndirectedGraph(G) ==
  /\ G = [node |-> G.node, edge |-> G.edge]
  /\ \A e \in G.edge : \E a, b \in G.node : a # b /\ e = {a, b}
UndirectedSubgraph(G) ==
  {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsUndirectedGraph(H)}
UndirectedGraphs(S) == [node : {S}, edge : SUBSET {{s, t} : s, t \in S}]

Path(G) ==
  {p \in Seq(G.node) : p # <<>> /\ \A i \in 1..(Len(p) - 1) : {p[i], p[i + 1]} \in G.edge}
IsStronglyConnected(G) == ConnectedComponents(G) = {G.node}
====)tla";

}  // namespace ordeal::tla
