"""The WSGI application: the agents' ingest path, where each request costs least.

It serves every route. The agents' own skip the middleware, which is there for browsers: sessions, CSRF and
content security policy mean nothing to a program that sends a bearer credential, and cost as much as storing
a device's report. It beats each second, so that nobody is called silent while it is away.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("BACKSTAY_DB_PER_THREAD", "1")

from django.core.wsgi import get_wsgi_application

from config.agents_door import with_agents_door

application = with_agents_door(get_wsgi_application())

from backstay.alerts.heartbeat import Heart  # noqa: E402 - models can be imported once Django is set up

Heart().start()
