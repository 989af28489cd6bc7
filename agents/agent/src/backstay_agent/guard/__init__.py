"""Restores a node when a change goes wrong: a separate process, a journal on disk, a snapshot."""
