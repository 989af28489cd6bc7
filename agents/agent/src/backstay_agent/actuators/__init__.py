"""Actuators install a node's routes through one interface: kernel, FRR, BIRD, gated."""
