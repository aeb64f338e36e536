---- MODULE BadPlus ----
EXTENDS Naturals
VARIABLE x
Sum(a, b) == a + b
Twice(v) == Sum(v, v)
Init == x = <<1, 2>>
Next == x' = Twice(x)
====
