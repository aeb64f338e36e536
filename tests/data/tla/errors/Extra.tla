---- MODULE Extra ----
A == INSTANCE Undetermined WITH x <- 1, y <- 2, z <- 3, w <- 4
====
