"""InfiniBand: a whole fabric swept from one host, and a host's own adapters."""
