"""Plan and check circuits: number, labels and consistency.

`mesh` defines who is connected to whom, `sizes` computes the cost, `advice` recommends a pattern,
`assignment` allocates free labels, `consistency` compares a circuit's hops with each other and with device
reports.
"""
