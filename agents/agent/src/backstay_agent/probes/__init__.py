"""Probes: measurements with packets sent by the agent, few and small."""
