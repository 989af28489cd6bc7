"""Where requests go: the agents' protocol, the public API, and the one page for everything else."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/agent/v1/", include("backstay.api.agent.views")),
]
