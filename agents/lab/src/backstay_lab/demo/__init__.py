"""The demo: databases, backend, a lab and its agents, started together and watched by one supervisor.

It owns the order of starting and stopping, and the promise that nothing is left behind. Every part is a
program with its own command line, reached only through that: the demo imports neither backend nor agent.
Everything it writes is below one data folder, so demos run side by side.
"""
