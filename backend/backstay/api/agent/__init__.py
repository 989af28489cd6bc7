"""The agents' own protocol, `/api/agent/v1/`: plain synchronous views; the hot path is one of them."""
