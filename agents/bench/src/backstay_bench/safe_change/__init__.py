"""Changes that are cut off, killed and interleaved, over real namespaces and daemons."""
