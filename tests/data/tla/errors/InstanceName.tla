---- MODULE InstanceName ----
EXTENDS Naturals
VARIABLES x, y, z
Fwd == INSTANCE Undetermined
Init == Fwd!Init
Next == Fwd!Foward /\ y' = y
====
