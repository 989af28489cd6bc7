"""When something is wrong, and what explains it: pure judgements over values, `now` an argument."""
