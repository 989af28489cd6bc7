"""Routes of the web port: the public API, and the single page for everything else."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path, re_path

from backstay.api.deliveries.views import acknowledge_page
from backstay.api.public import api
from config.views import single_page

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", api.urls),
    path("acknowledge/<str:token>", acknowledge_page),
    re_path(r"^(?!api/).*$", single_page),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.not_found"
handler500 = "config.views.server_error"
