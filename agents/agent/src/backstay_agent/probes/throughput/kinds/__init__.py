"""What each kind of test runs, and how its output becomes a result: one file a kind."""
