"""The routes of both ports, for tests with Django's client."""

from __future__ import annotations

from config import agent_urls, urls
from config.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]
urlpatterns = [*agent_urls.urlpatterns, *urls.urlpatterns]
