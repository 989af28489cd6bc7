"""The way to the backend: who we are, what is still to be sent, and how it is sent exactly once."""
