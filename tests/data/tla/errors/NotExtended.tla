---- MODULE NotExtended ----
VARIABLE s
Init == s = <<>>
Next == s' = Append(s, s)
====
