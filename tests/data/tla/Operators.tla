------------------------------ MODULE Operators ------------------------------
EXTENDS Integers, Sequences, FiniteSets, TLC

Twice(F(_), x) == F(F(x))
Inc(x) == x + 1
Compose(F(_), G(_), x) == F(G(x))
Pick(Op(_, _), a, b) == Op(a, b)
a ++ b == a * 10 + b
a \oplus b == <<a, b>>
a | b == b % a = 0
x ^+ == x + 100
a ** b == a - b
RECURSIVE Fib(_)
Fib(n) == IF n < 2 THEN n ELSE Fib(n - 1) + Fib(n - 2)
RECURSIVE Even(_), Odd(_)
Even(n) == n = 0 \/ Odd(n - 1)
Odd(n) == n # 0 /\ Even(n - 1)
RECURSIVE FoldSeq(_, _, _)
FoldSeq(Op(_, _), base, s) == IF s = <<>> THEN base ELSE Op(Head(s), FoldSeq(Op, base, Tail(s)))
Max(S) == CHOOSE m \in S : \A n \in S : n <= m
Label(x) == here :: x + 1
Shadow(x) == LET y == x IN LET z == y + 1 IN z

ASSUME HigherOrder == Twice(Inc, 3) = 5 /\ Compose(Inc, LAMBDA z : z * 2, 5) = 11
ASSUME Symbols == Pick(+, 2, 3) = 5 /\ Pick(++, 2, 3) = 23 /\ Pick(\cup, {1}, {2}) = {1, 2}
ASSUME Lambdas == Pick(LAMBDA a, b : a - b, 7, 2) = 5 /\ Twice(LAMBDA x : x * x, 3) = 81
ASSUME UserInfix == 3 ++ 4 = 34 /\ 1 \oplus 2 = <<1, 2>> /\ 3 | 9 /\ ~(4 | 9) /\ 9 ** 4 = 5
ASSUME UserPostfix == 5 ^+ = 105
ASSUME Recursion == Fib(15) = 610 /\ Even(10) /\ Odd(7) /\ ~Even(3)
ASSUME RecursionWithOperators == FoldSeq(+, 0, <<1, 2, 3>>) = 6 /\ FoldSeq(LAMBDA x, y : x * y, 1, <<2, 3, 4>>) = 24
ASSUME Conditions == (IF 1 < 2 THEN "y" ELSE "n") = "y"
ASSUME Cases == (CASE 1 > 2 -> "a" [] 2 > 1 -> "b" [] OTHER -> "c") = "b" /\ (CASE FALSE -> 1 [] OTHER -> 2) = 2
ASSUME Lets == LET x == 5 y == x + 1 F(z) == z + y IN F(x) = 11
ASSUME LetRecursion == LET RECURSIVE Sum(_) Sum(n) == IF n = 0 THEN 0 ELSE n + Sum(n - 1) IN Sum(4) = 10
ASSUME LetInfix == LET p && q == p + q IN 2 && 3 = 5
ASSUME Labels == Label(2) = 3 /\ Shadow(1) = 2
ASSUME Laziness == LET bad == 1 \div 0 IN TRUE
ASSUME LazyArguments == LET First(a, b) == a IN First(1, CHOOSE x \in {} : TRUE) = 1
ASSUME ShortCircuit == ~(FALSE /\ CHOOSE x \in {} : TRUE) /\ (TRUE \/ CHOOSE x \in {} : TRUE) /\ (FALSE => CHOOSE x \in {} : TRUE)
ASSUME Junctions ==
  /\ \/ FALSE
     \/ TRUE
  /\ 1 = 1 /\ 2 = 2
  /\ (1 = 2
      \/ 3 = 3)
  /\ \A x \in 1..2 :
       \/ x = 1
       \/ x = 2
ASSUME Implication == (TRUE => TRUE) /\ (FALSE => FALSE) /\ ~(TRUE => FALSE) /\ (TRUE <=> TRUE) /\ ~(TRUE \equiv FALSE)
ASSUME Negation == ~FALSE /\ \lnot FALSE /\ \neg FALSE /\ ~ ~TRUE /\ (TRUE \land TRUE) /\ (FALSE \lor TRUE)
ASSUME Strings == "abc" # "abd" /\ "a\"b" = "a\"b" /\ Len("abc") = 3 /\ "ab" \o "c" = "abc"
ASSUME MaxOf == Max({3, 9, 4}) = 9
ASSUME Prints == ToString({1, 2}) = "{1, 2}" /\ ToString(<<1, "a">>) = "<<1, \"a\">>" /\ ToString([a |-> 1]) = "[a |-> 1]"
ASSUME Permutation == Cardinality(Permutations({1, 2, 3})) = 6 /\ SortSeq(<<3, 1, 2>>, <) = <<1, 2, 3>>
=============================================================================
