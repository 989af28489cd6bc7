"""Alerts of Prometheus Alertmanager, which calls this as a webhook with an API token."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, ValidationError

from backstay.alerts import external
from backstay.api.alertmanager.schemas import MAX_ALERTS, AlertmanagerWebhook, ReceivedOut
from backstay.api.http.auth import require_operator, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import WRITE
from backstay.core.alerting.message import one_line
from backstay.core.errors import Invalid

router = Router(tags=["alertmanager"])
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "title": "AlertmanagerWebhook",
                    "description": "As Alertmanager writes it; unknown fields are ignored",
                    "required": ["version", "alerts"],
                    "properties": {
                        "version": {"type": "string"},
                        "alerts": {"type": "array", "maxItems": MAX_ALERTS, "items": {"type": "object"}},
                    },
                }
            }
        },
    }
}


class ReceiveQuery(BaseModel):
    """Query of `receive_alerts`."""

    site: Text


@router.post(
    "/alertmanager",
    response={200: ReceivedOut, **WRITE},
    operation_id="receive_alerts",
    openapi_extra=_BODY,
)
@idempotent
def receive_alerts(request: HttpRequest, query: Query[ReceiveQuery]) -> ReceivedOut:
    """Open, update and resolve incidents from Alertmanager's webhook (version 4). Needs operator at the site.

    The body is the one that Alertmanager sends: unknown fields and unprintable characters are no errors, and
    the same alert twice changes nothing.
    """
    site = site_of(request, query.site)
    require_operator(request, site)
    now = timezone.now()
    done = external.receive(site, (alert.value(now) for alert in _parsed(request.body).alerts), now)
    return ReceivedOut(opened=done.opened, updated=done.updated, resolved=done.resolved, ignored=done.ignored)


def _parsed(body: bytes) -> AlertmanagerWebhook:
    try:
        return AlertmanagerWebhook.model_validate_json(body)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        text = one_line(f"{where}: {first['msg']}" if where else first["msg"])
        raise Invalid(f"This is not a body of Alertmanager's webhook: {text}.") from None
