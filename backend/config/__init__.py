"""Settings and entry points of every server process."""

import gc

# A site of 10,000 nodes is read into some 100,000 objects, which reference counting frees. CPython's default
# looks for cycles after each 700 new objects, which took two thirds of an import.
gc.set_threshold(50_000, 20, 100)
