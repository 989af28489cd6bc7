"""The HIPPI fabric of the lab: crossbars, HIPPI-SONET gateways and what hangs on them, in one process.

HIPPI has no Linux driver any more, and its character is not a frame format but a discipline: simplex
connections, one at a time to a destination, made anew for every packet; the loser waits (camp-on) or is
rejected. So the fabric is a program between TUN devices. Real Linux TCP runs over it; what it meets is the
discipline. The core (`agenda`, `crossbar`, `sender`, `gateway`, `blocker`, `fabric`) is a simulation in
virtual time without clock or file; `process` runs it against the real clock.

After HIPPI-PH, -FP, -LE and -SC as RFC 2067 uses them, and after Chinoy and Fall, "TCP/IP and HIPPI
performance in the CASA gigabit testbed".
"""
