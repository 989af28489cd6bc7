"""The page behind a message's link that acknowledges its incidents.

Mail scanners and chat previews fetch every link, so GET shows a page with a button, and only its POST
acknowledges. The signed token is the authority: no session is read, so there is none that another site could
use, and no CSRF token. Scripts and styles are forbidden by the content security policy and not needed.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from backstay.alerts.notify.acknowledgement import acknowledge, acknowledging_name, open_incidents
from backstay.alerts.notify.messages import acknowledged_delivery
from backstay.core.alerting.message import one_line
from backstay.core.errors import Unavailable
from backstay.core.formatting import count

MAX_LISTED = 20
GONE = "This link is not valid, or it has expired. Sign in and acknowledge the incident on its page."


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def acknowledge_page(request: HttpRequest, token: str) -> HttpResponse:
    """GET: what would be acknowledged, and a button. POST: acknowledge it. 404: forged or expired."""
    delivery = acknowledged_delivery(token)
    if delivery is None:
        return _page("Link not valid", format_html("<p>{}</p>", GONE), 404)
    if request.method != "POST":
        return _question(
            [one_line(row.title) for row in open_incidents(delivery)], acknowledging_name(delivery)
        )
    try:
        taken = acknowledge(delivery, timezone.now())
    except Unavailable as problem:
        return _page("Not acknowledged", format_html("<p>{}</p>", problem.message), problem.status)
    if not taken:
        return _nothing()
    body = format_html(
        "<p>Acknowledged by {}:</p>{}",
        acknowledging_name(delivery),
        _list([one_line(row.title) for row in taken]),
    )
    return _page("Acknowledged", body)


def _question(titles: list[str], name: str) -> HttpResponse:
    if not titles:
        return _nothing()
    form = format_html(
        '<form method="post"><p>This stops reminders and escalation. It is recorded as done by {}.</p>'
        '<p><button type="submit">Acknowledge</button></p></form>',
        name,
    )
    heading = f"Acknowledge {count(len(titles), 'incident')}?"
    return _page(heading, format_html("{}{}", _list(titles), form))


def _nothing() -> HttpResponse:
    return _page(
        "Nothing to acknowledge", format_html("<p>{}</p>", "Its incidents are acknowledged or resolved.")
    )


def _list(titles: list[str]) -> SafeString:
    rest = len(titles) - MAX_LISTED
    more = format_html("<p>and {} more</p>", rest) if rest > 0 else ""
    items = format_html_join("", "<li>{}</li>", ((title,) for title in titles[:MAX_LISTED]))
    return format_html("<ul>{}</ul>{}", items, more)


def _page(title: str, body: SafeString, status: int = 200) -> HttpResponse:
    response = HttpResponse(
        format_html(
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="robots" content="noindex"><title>{}</title></head>'
            "<body><main><h1>{}</h1>{}</main></body></html>",
            title,
            title,
            body,
        ),
        status=status,
    )
    # The address is the authority: it must not reach another server.
    response["Referrer-Policy"] = "no-referrer"
    return response
