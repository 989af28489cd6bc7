"""The ASGI application: web pages, public API and live stream at one origin."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("BACKSTAY_DB_STATEMENT_S", "10")

from django.core.asgi import get_asgi_application

from config.web_bodies import WebBodies

application = WebBodies(get_asgi_application())
