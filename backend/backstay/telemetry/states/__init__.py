"""Writers of current state from reports: one module per kind of state."""
