---- MODULE LooksOfOutside ----
EXTENDS Naturals
(* 1 lies beyond the constraint and looks like 5, which must be found all the same. *)
VARIABLE x
Init == x = 0
Next == (x = 0 /\ x' \in {1, 3}) \/ (x = 3 /\ x' = 5) \/ (x = 5 /\ x' = 7)
Look == x % 4
Inside == x # 1
====
