"""Which throughput test runs when: a matrix as points, who talks to whom, whose turn it is."""
