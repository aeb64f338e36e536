---- MODULE Syntax5 ----
A == "text
====
