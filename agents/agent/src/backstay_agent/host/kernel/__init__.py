"""The kernel of this host: rtnetlink, neighbour tables, settings, and its state as values."""
