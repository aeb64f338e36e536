------------------------------- MODULE Modules -------------------------------
(* Modules that extend one module by two ways, instances without a name, what  *)
(* is LOCAL, and definitions that the configuration replaces in one module.    *)
EXTENDS ModulesLeft, ModulesRight
VARIABLE v

Secret == 7                              \* that of ModulesBase is LOCAL there
Heavy(x) == 10
Mine == INSTANCE ModulesBase WITH Size <- 1

INSTANCE ModulesUnnamed WITH w <- v, Limit <- 3

ASSUME Sizes == Public = 45 /\ Left = 46 /\ Right = 44 /\ Secret = 7 /\ Mine!Public = 41
ASSUME Replaced == Weight(0) = 10 /\ Total(1, 2) = 20 /\ Weight2 = 10
ASSUME Sequence == Longer(<<1>>) = <<1, 5>> /\ Mine!Longer(<<>>) = <<1>>

Init == UInit
Next == UNext
Inv == UInv /\ v \in 0..3
=============================================================================
