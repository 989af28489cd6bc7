"""Capacity of a fabric under every failure: equal-cost shortest paths, loads against usable rates, lost
demand and lost redundancy. Works on arrays of vertices and links only, without names or rows.
"""
