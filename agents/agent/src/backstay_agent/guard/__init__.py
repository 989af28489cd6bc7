"""What puts a node back when a change went wrong: a process of its own, a journal on disk, a snapshot."""
