"""Backstay's host agent: it sees the network from one host and says what it saw, exactly once.

One asyncio process. Collectors read the machine, the spool keeps every report on disk until the
backend has acknowledged it, and the backend only ever says what is wanted (a generation), never what to do.
"""

from importlib.metadata import version

__version__ = version("backstay-agent")
