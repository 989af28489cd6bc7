"""From throughput results to a named bottleneck with its evidence.

`run.judge_run` evaluates a matrix of cells and the medium, `run.judge_cell` a single cell. Further modules:
comparison of two runs, regression against earlier runs, and the suspect host of a mesh grid.
"""
