"""Push: what changed goes on commit into Redis, and from there to every browser that listens.

Redis holds nothing that may not be lost: a reader that missed something is told so and refetches.
"""
