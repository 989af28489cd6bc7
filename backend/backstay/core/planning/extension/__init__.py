"""Extension nodes of an SP switch: free ports, proposed attributes, checks and differences."""
