"""What installs a node's routes, behind one interface: the kernel itself, FRR, BIRD, gated."""
