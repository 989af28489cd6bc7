"""Backstay's host agent: observes the network from one host and reports each observation exactly once.

One asyncio process. Collectors read the machine; the spool keeps every report on disk until the backend has
acknowledged it. The backend sends desired state (a generation), never commands.
"""

from importlib.metadata import version

__version__ = version("backstay-agent")
