---- MODULE ValueWithArguments ----
EXTENDS Naturals
VARIABLE f
Init == f = <<1, 2>>
Next == f' = f(1)
====
