"""One module per cause: facts of a cell -> a verdict, or None if it does not match."""
