"""Which throughput test runs when: the points of a matrix, who talks to whom, whose turn it is, and why others wait."""
