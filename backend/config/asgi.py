"""The ASGI application: web pages, public API and live stream at one origin."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("BACKSTAY_DB_STATEMENT_S", "10")

from django.core.asgi import get_asgi_application

from config.live_requests import with_live_requests
from config.web_bodies import WebBodies

application = WebBodies(with_live_requests(get_asgi_application()))
