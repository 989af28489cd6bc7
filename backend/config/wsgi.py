"""The WSGI application: the agents' ingest path, with minimal cost per request.

It serves every route. Agent requests bypass the middleware, because sessions, CSRF and content security
policy only matter to browsers and cost as much as storing a device's report. It records a heartbeat each
second, so that alert rules report no agent as unreachable while this process is down.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("BACKSTAY_DB_PER_THREAD", "1")

from django.core.wsgi import get_wsgi_application

from config.agent_wsgi import with_agent_routes

application = with_agent_routes(get_wsgi_application())

from backstay.alerts.heartbeat import Heartbeat  # noqa: E402 - models can be imported once Django is set up

Heartbeat().start()
