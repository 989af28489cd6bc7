"""Programs of throughput tests on this host, each in a process that ends with the agent."""
