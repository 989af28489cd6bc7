"""Extension nodes of an SP switch: free ports, what to give a new one, what is wrong, and what differs."""
