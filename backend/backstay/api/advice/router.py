"""Upgrade advice."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.api.advice.present import advice_out
from backstay.api.advice.schemas import Advice
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import READ
from backstay.policy.capacity_results import fallback_summary

router = Router(tags=["capacity"])


@router.get("/capacity/advice", response={200: Advice, **READ}, operation_id="get_capacity_advice")
def get_capacity_advice(request: HttpRequest, site: Text | None = None) -> Advice:
    """Which capacity, gateway or stripe removes most failing fallbacks, and how to apply it."""
    row, now = site_of(request, site), timezone.now()
    return advice_out(row, fallback_summary(row, now))
