"""InfiniBand fabrics of the lab: ibsim plays switches and adapters, OpenSM manages them, a model moves
counters.
"""
