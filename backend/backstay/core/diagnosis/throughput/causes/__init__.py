"""One file a cause: facts of a cell -> a verdict, or None where it does not fit. No cause knows another."""
