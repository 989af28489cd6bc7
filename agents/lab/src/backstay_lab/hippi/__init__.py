"""The lab's HIPPI fabric: crossbars, HIPPI-SONET gateways and their hosts, in one process.

Linux no longer has a HIPPI driver. HIPPI is characterised by its connections: simplex, one at a time to a
destination, set up for every packet; a request to a busy destination waits (camp-on) or is rejected. The
fabric is a program between TUN devices; real Linux TCP runs over it. The core (`agenda`, `crossbar`,
`sender`, `gateway`, `blocker`, `fabric`) is a simulation in virtual time without clock or file; `process`
runs it against the real clock.

After HIPPI-PH, -FP, -LE and -SC as RFC 2067 uses them, and after Chinoy and Fall, "TCP/IP and HIPPI
performance in the CASA gigabit testbed".
"""
