"""The ingest's ASGI entry: the agent protocol only (docs/decisions/0013).

It records a heartbeat each second, so that rules report no agent as unreachable while this process is down.
"""

import os
import resource

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("BACKSTAY_DB_PER_THREAD", "1")
os.environ.setdefault("BACKSTAY_DB_STATEMENT_S", "10")

import django

django.setup()

from backstay.alerts.heartbeat import Heartbeat  # noqa: E402 - models can be imported once Django is set up
from config.agent_server import AgentServer  # noqa: E402

# Every agent holds a connection; the usual soft limit is 1024 files, the hard limit half a million.
_, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (_hard, _hard))

application = AgentServer()
Heartbeat().start()
