---- MODULE NoSub ----
A == INSTANCE Undetermined WITH x <- 1, y <- 2
ASSUME A!Forward
====
