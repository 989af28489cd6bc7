"""The agent protocol, `/api/agent/v1/`: plain synchronous views, including the ingest hot path."""
