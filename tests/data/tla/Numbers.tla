------------------------------ MODULE Numbers ------------------------------
(* Arithmetic: each assumption is one that TLC evaluates to TRUE. *)
EXTENDS Integers

ASSUME Signs == -3 + 5 = 2 /\ 3 - 5 = -2 /\ -(-4) = 4 /\ 2 - -1 = 3
ASSUME Precedence == 2 + 3 * 4 = 14 /\ (2 + 3) * 4 = 20 /\ 2 * 3 ^ 2 = 18
ASSUME LeftToRight == 10 - 4 - 3 = 3 /\ 7 - 2 + 1 = 6
ASSUME Division == 7 \div 2 = 3 /\ (-7) \div 2 = -4 /\ -7 \div 2 = -3 /\ (-7) % 2 = 1 /\ 7 % 2 = 1
ASSUME Bases == \b1011 = 11 /\ \o17 = 15 /\ \hFF = 255 /\ \HfF = 255 /\ \B11 = 3
ASSUME Order == 1 < 2 /\ 2 <= 2 /\ 2 =< 2 /\ 2 \leq 2 /\ 3 > 2 /\ 3 >= 3 /\ 3 \geq 3
ASSUME Intervals == 2..4 = {2, 3, 4} /\ 4..2 = {} /\ -1..1 = {-1, 0, 1}
ASSUME Members == 5 \in Nat /\ -1 \notin Nat /\ -1 \in Int /\ 0 \in 0..0 /\ 3 \notin 0..2
ASSUME Powers == 2 ^ 0 = 1 /\ 0 ^ 3 = 0 /\ (-2) ^ 3 = -8
ASSUME Large == 2147483647 - 1 = 2147483646 /\ 46340 * 46340 = 2147395600
ASSUME NotEqual == 1 # 2 /\ 1 /= 2 /\ ~(1 # 1)
=============================================================================
