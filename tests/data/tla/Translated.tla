------------------------------ MODULE Translated ------------------------------
(* A PlusCal translation, kept as the translator writes it.                    *)
EXTENDS Naturals, TLC
(* --algorithm Composed
variables turn = 1, inside = {};
process P \in 1..2
variable tries = 0;
begin
 a: while tries < 2 do
 b:   await turn = self; inside := inside \cup {self};
 c:   inside := inside \ {self}; turn := 3 - self; tries := tries + 1;
    end while;
end process
end algorithm *)
\* BEGIN TRANSLATION (chksum(pcal) = "1" /\ chksum(tla) = "2")
VARIABLES pc, turn, inside, tries

vars == << pc, turn, inside, tries >>

ProcSet == (1..2)

Init == (* Global variables *)
        /\ turn = 1
        /\ inside = {}
        (* Process P *)
        /\ tries = [self \in 1..2 |-> 0]
        /\ pc = [self \in ProcSet |-> "a"]

a(self) == /\ pc[self] = "a"
           /\ IF tries[self] < 2
                 THEN /\ pc' = [pc EXCEPT ![self] = "b"]
                 ELSE /\ pc' = [pc EXCEPT ![self] = "Done"]
           /\ UNCHANGED << turn, inside, tries >>

b(self) == /\ pc[self] = "b"
           /\ turn = self
           /\ inside' = (inside \cup {self})
           /\ pc' = [pc EXCEPT ![self] = "c"]
           /\ UNCHANGED << turn, tries >>

c(self) == /\ pc[self] = "c"
           /\ inside' = inside \ {self}
           /\ turn' = 3 - self
           /\ tries' = [tries EXCEPT ![self] = tries[self] + 1]
           /\ pc' = [pc EXCEPT ![self] = "a"]

P(self) == a(self) \/ b(self) \/ c(self)

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == (\E self \in 1..2: P(self))
           \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION

Mutex == \A i, j \in inside : i = j
TypeOK == /\ pc \in [ProcSet -> {"a", "b", "c", "Done"}]
          /\ tries \in [ProcSet -> 0..2]
=============================================================================
Text behind the module is ignored.
