"""Output of iproute2 and decoded rtnetlink messages."""
