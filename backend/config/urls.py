"""Routes of the whole backend: the API, the agents' protocol, and the browser's single page."""

from django.urls import path, re_path

from backstay.api import public
from backstay.api.pages import single_page

urlpatterns = [
    path("api/v1/", public.urls),
    re_path(r"^(?!api/).*$", single_page),
]
