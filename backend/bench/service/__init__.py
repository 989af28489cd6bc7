"""The whole service as processes, agents that send and keep a ledger, and views of both from outside."""
