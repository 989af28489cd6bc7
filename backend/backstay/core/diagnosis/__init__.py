"""From metrics to named faults with their evidence: pure functions over values; `now` is an argument."""
