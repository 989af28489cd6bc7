"""InfiniBand fabrics: ibsim simulates switches and adapters, OpenSM manages them, a model advances
counters.
"""
