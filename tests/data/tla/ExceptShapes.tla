---------------------------- MODULE ExceptShapes ----------------------------
EXTENDS Integers, Sequences, TLC
VARIABLES net, log
Ids == 1..2
Init == /\ net = [i \in Ids |-> [sent |-> 0, box |-> <<>>, at |-> [j \in Ids |-> i + j]]]
        /\ log = <<>>
Send(i, j) == /\ net[i].sent < 2
              /\ net' = [net EXCEPT ![i].sent = @ + 1,
                                    ![j].box = Append(@, [from |-> i, n |-> net[i].sent]),
                                    ![i].at[j] = @ * 2 - net[i].at[i]]
              /\ log' = IF i = j THEN log ELSE SubSeq(<<i>> \o log, 1, 1)
Take(i) == /\ net[i].box # <<>>
           /\ LET m == Head(net[i].box)
                  rest == Tail(net[i].box)
              IN net' = [net EXCEPT ![i] = [@ EXCEPT !.box = rest, !.sent = IF m.from = i THEN @ ELSE 0]]
           /\ UNCHANGED log
Next == \/ \E i, j \in Ids : Send(i, j)
        \/ \E i \in Ids : Take(i)
Small == \A i \in Ids : Len(net[i].box) <= 2 /\ \A j \in Ids : net[i].at[j] \in -5..5
TypeOK == /\ \A i \in Ids : net[i].box \in Seq([from : Ids, n : 0..2])
          /\ DOMAIN net[1] = {"sent", "box", "at"}
          /\ log \in Seq(Ids) /\ Len(log) <= 1
=============================================================================
