"""What throughput tests do to this host: their programs, each a process that ends with the agent."""
