"""The papers' sites as runnable networks: namespaces joined by shaped links, with real daemons in them.

A site is a pure `Blueprint` (`sites/`); all other modules build it, break it, measure it or
describes it. The lab imports neither the backend nor the agent: it is only the network that they observe.
"""
