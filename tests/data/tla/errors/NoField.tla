---- MODULE NoField ----
EXTENDS Naturals
VARIABLE msg
Init == msg = [type |-> "req", value |-> 3]
Next == msg' = [msg EXCEPT !.value = msg.vlaue + 1]
====
