"""Forecasts of when links are full: reading daily loads, computing and storing; `core.planning.forecast`."""
