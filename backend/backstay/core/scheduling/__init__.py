"""Order of throughput tests: matrix points, flows of each test and resource reservations."""
