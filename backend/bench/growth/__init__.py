"""`make bench-growth`: what the service costs at sites of growing size."""
