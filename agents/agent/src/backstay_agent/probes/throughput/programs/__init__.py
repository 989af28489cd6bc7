"""Programs of our own that a test runs: each a process of its own, which ends with the agent."""
