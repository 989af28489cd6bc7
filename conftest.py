"""Hypothesis for every package's tests: a machine that is busy for a moment fails none of them."""

from hypothesis import settings

settings.register_profile("backstay", deadline=None)
settings.load_profile("backstay")
