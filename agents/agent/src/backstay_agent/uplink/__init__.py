"""The connection to the backend: identity, spool, and delivery exactly once."""
