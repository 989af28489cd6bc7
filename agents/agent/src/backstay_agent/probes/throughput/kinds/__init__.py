"""What each kind of test runs, and how its words become a result: one file a kind."""
