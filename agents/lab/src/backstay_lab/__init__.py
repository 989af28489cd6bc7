"""The papers' sites as runnable networks: namespaces joined by shaped links, with real daemons in them.

A site is a pure `Blueprint` (`sites/`); everything else either builds it, breaks it, measures it or
describes it. Nothing here imports the backend or the agent: the lab is only a network to be watched.
"""
