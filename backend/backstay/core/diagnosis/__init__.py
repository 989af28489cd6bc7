"""From figures to named faults with their evidence: pure judgements over values, `now` an argument."""
