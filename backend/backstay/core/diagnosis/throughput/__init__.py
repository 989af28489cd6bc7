"""Throughput results -> named bottleneck with its evidence.

`run.judge_run` takes a matrix of cells and the medium, `run.judge_cell` one cell; beside them are linear
scaling, the comparison of two runs, regression against a run's own past, and the suspect of a mesh grid.
"""
