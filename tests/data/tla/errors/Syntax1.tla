---- MODULE Syntax1 ----
EXTENDS Naturals
VARIABLE x
Init == x = 
Next == x' = x
====
