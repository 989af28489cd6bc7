"""Break-glass on the node: policies released by an administrator, and the revert after a lost controller."""
