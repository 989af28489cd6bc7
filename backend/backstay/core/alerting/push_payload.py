"""What a push message holds: exactly what the notification shows, and the page that it opens."""

from __future__ import annotations

from backstay.core.alerting.message import Message, one_line, severity, shortened
from backstay.core.formatting import count

MAX_TITLE, MAX_BODY = 150, 250
"""Characters: phones show fewer."""


def push_payload(message: Message) -> dict[str, str]:
    """`title` and `body` as shown, `tag` (a newer notification replaces the older), `path` of the page."""
    site = one_line(message.site, 64)
    state = "Test" if message.reason == "test" else severity(message).capitalize()
    first = one_line(message.incidents[0].title) if message.incidents else ""
    number = len(message.incidents) + message.more
    if number == 1 and message.incidents:
        ident = message.incidents[0].id
        is_incident = message.reason != "test"
        return {
            "title": shortened(f"{state}: {first}", MAX_TITLE),
            "body": site,
            "tag": f"incident-{ident}" if is_incident else "test",
            "path": f"/incidents/{ident}?site={site}" if is_incident else f"/notifications/push?site={site}",
        }
    return {
        "title": shortened(f"{state}: {count(number, 'incident')}", MAX_TITLE),
        "body": shortened(f"{site}: {first}, and others", MAX_BODY),
        "tag": f"site-{site}",
        "path": f"/incidents?site={site}",
    }
