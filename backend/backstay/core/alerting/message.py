"""A notification about incidents, and its forms: subject, plain text, HTML, Markdown, JSON.

Names come from devices, neighbours and foreign systems, so they may hold anything. Each form makes them one
line of plain text, without characters that change terminals, mail headers or the order of letters, and
escapes what the form itself would read as code. Every form is limited in size; what does not fit is counted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Final, Literal

from backstay.core.formatting import count, duration

Reason = Literal["opened", "worse", "reminder", "escalated", "resolved", "test"]

MAX_SUBJECT = 200
"""Characters of a subject: mail clients and phones show fewer."""
MAX_TEXT = 8_000
"""Characters of a text."""
MAX_NAME, MAX_DETAIL, MAX_LINK = 300, 1_000, 2_000
"""Characters of one value in any form."""
MAX_LISTED, MAX_EFFECTS, MAX_LABELS = 50, 10, 32
"""Incidents that HTML and JSON list, effects and labels of each."""
PAYLOAD_VERSION = 1
_ELLIPSIS = "…"
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SPACES = frozenset("\t\n\v\f\r\x85\u2028\u2029")
_JOINERS = frozenset("\u200c\u200d")
"""Format characters that scripts and emoji need, and that move nothing."""
_UNSAFE = frozenset({"Cc", "Cf", "Cs"})
"""Unicode categories: controls (ANSI escapes), formats (bidi overrides, invisible characters), surrogates."""
_MARKUP = {one: f"\\{one}" for one in "\\`*_{}[]()#~|!$^"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
"""ASCII punctuation with a meaning in a dialect of Markdown: a backslash may precede each (CommonMark 2.4).
What begins HTML is an entity (2.5): renderers older than CommonMark have no backslash for it."""
_NEUTRAL = str.maketrans({"@": "\N{FULLWIDTH COMMERCIAL AT}"})
"""Services find mentions (`@everyone`) whatever precedes them: the full-width sign is none."""
_AUTOLINK = re.compile(r"(?<=[A-Za-z]):(?=//)|(?<=[Ww]{3})[.]")
_SEVERITIES = ("critical", "warning")
_HEADINGS: dict[Reason, str] = {
    "opened": "{severity}",
    "worse": "worse, now {severity}",
    "reminder": "still {severity}",
    "escalated": "{severity}, not acknowledged",
    "resolved": "resolved",
    "test": "test",
}
COLOURS: Final[Mapping[str, str]] = {"critical": "#b42318", "warning": "#93590b", "resolved": "#146c2e"}
"""Text colours with at least 4.5:1 against white (WCAG 1.4.3)."""


@dataclass(frozen=True, slots=True)
class MessageIncident:
    """One incident of a message."""

    id: int
    title: str
    detail: str
    severity: str
    """`critical` or `warning`."""
    kind: str
    """Of its rule."""
    subject: str
    """The object: `grf1`, `n01 sw0`."""
    phase: str
    since: datetime
    resolved_at: datetime | None
    effects: tuple[str, ...]
    """`3 paths dead, 7 rerouted to atmgw`."""
    link: str
    """Absolute URL of its page; empty: none."""
    labels: Mapping[str, str]
    value: float | None
    threshold: float | None

    @property
    def is_resolved(self) -> bool:
        return self.resolved_at is not None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a group of incidents."""

    key: str
    """Stable over all attempts: a receiver that knows it drops the repetition."""
    site: str
    reason: Reason
    incidents: tuple[MessageIncident, ...]
    """Root causes first."""
    more: int
    """Incidents that are counted and not listed."""
    sent_at: datetime
    link: str
    """Absolute URL of the site's incidents; empty: none."""
    acknowledge_link: str
    """Signed URL; empty: nothing to acknowledge."""


def severity(message: Message) -> str:
    """The worst severity of the incidents that last; `resolved` if none does."""
    lasting = {item.severity for item in message.incidents if not item.is_resolved}
    if not lasting or message.reason == "resolved":
        return "resolved"
    return next((name for name in _SEVERITIES if name in lasting), _SEVERITIES[-1])


def subject(message: Message) -> str:
    """`[critical] argonne: grf1 lost all links, and 2 more`: one line without control characters."""
    worst = severity(message)
    if worst == "resolved" and message.reason != "test":
        heading = "resolved"
    else:
        heading = _HEADINGS[message.reason].format(severity=worst)
    others = len(message.incidents) - 1 + message.more
    title = one_line(message.incidents[0].title) if message.incidents else count(message.more, "incident")
    rest = f", and {others} more" if message.incidents and others > 0 else ""
    start = f"[{heading}] {one_line(message.site, 64)}: "
    return start + shortened(title, MAX_SUBJECT - len(start) - len(rest)) + rest


def text(message: Message, limit: int = MAX_TEXT) -> str:
    """Plain text of at most `limit` characters; each value is one line."""
    return _fitting(message, _plain_block, _plain_end, limit)


def markdown(message: Message, limit: int = MAX_TEXT) -> str:
    """CommonMark of at most `limit` characters; values are escaped: none is markup, link or mention."""
    return _fitting(message, _markdown_block, _markdown_end, limit)


def html(message: Message, chart: str = "") -> str:
    """A document for mail; values are escaped, styles inline. `chart`: the image's `src`; empty: none."""
    blocks = "".join(_html_block(item) for item in message.incidents[:MAX_LISTED])
    image = f'<p><img src="{escape(chart)}" alt="Chart" style="max-width:100%"></p>' if chart else ""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>'
        f"{escape(subject(message))}</title></head>"
        '<body style="font-family:sans-serif;color:#1a1a1a;background:#ffffff">'
        f"{blocks}{image}{_html_end(message)}</body></html>"
    )


def payload(message: Message) -> dict[str, object]:
    """The JSON object of a webhook: times RFC 3339 UTC, `value` and `threshold` in the rule's unit."""
    return {
        "version": PAYLOAD_VERSION,
        "key": one_line(message.key),
        "site": one_line(message.site),
        "reason": message.reason,
        "severity": severity(message),
        "subject": subject(message),
        "sent_at": _rfc3339(message.sent_at),
        "link": web_link(message.link),
        "acknowledge_link": web_link(message.acknowledge_link),
        "incidents": [incident_payload(item) for item in message.incidents[:MAX_LISTED]],
        "more": message.more + _unlisted(message),
    }


def one_line(value: str, limit: int = MAX_NAME) -> str:
    """The value as one line of at most `limit` printable characters, in the order that they are stored in."""
    clean = "".join(map(_printable, value[: limit * 4]))
    return shortened(" ".join(clean.split()), limit)


def shortened(value: str, limit: int) -> str:
    """At most `limit` characters; an ellipsis stands for the rest."""
    return value if len(value) <= limit else value[: max(limit - 1, 0)].rstrip() + _ELLIPSIS


def escape_markdown(value: str) -> str:
    """The value as one line in which no dialect of Markdown finds markup, links or mentions."""
    clean = "".join(_MARKUP.get(one, one) for one in one_line(value, MAX_DETAIL))
    return without_mentions(_AUTOLINK.sub(lambda found: f"\\{found[0]}", clean))


def without_mentions(value: str) -> str:
    """The text with a full-width sign for each `@`."""
    return value.translate(_NEUTRAL)


def web_link(url: str) -> str:
    """The URL if it is one of the web without spaces, controls or quotes; else empty: no `javascript:`."""
    is_web = url.startswith(("https://", "http://")) and len(url) <= MAX_LINK
    is_clean = is_web and all("!" <= one <= "~" and one not in "\"'<>`\\" for one in url)
    return url if is_clean else ""


def _printable(one: str) -> str:
    if one in _SPACES:
        return " "
    return _REPLACEMENT if unicodedata.category(one) in _UNSAFE and one not in _JOINERS else one


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _rfc3339(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def incident_payload(item: MessageIncident) -> dict[str, object]:
    """One incident of `payload`."""
    return {
        "id": item.id,
        "title": one_line(item.title),
        "detail": one_line(item.detail, MAX_DETAIL),
        "severity": one_line(item.severity, 16),
        "kind": one_line(item.kind, 64),
        "subject": one_line(item.subject),
        "phase": one_line(item.phase, 16),
        "since": _rfc3339(item.since),
        "resolved_at": None if item.resolved_at is None else _rfc3339(item.resolved_at),
        "effects": [one_line(effect) for effect in item.effects[:MAX_EFFECTS]],
        "link": web_link(item.link),
        "labels": {
            one_line(name, 128): one_line(item.labels[name]) for name in list(item.labels)[:MAX_LABELS]
        },
        "value": item.value,
        "threshold": item.threshold,
    }


def _heading(item: MessageIncident) -> str:
    state = "Resolved" if item.is_resolved else one_line(item.severity, 16).capitalize()
    return f"{state}: {one_line(item.title)}"


def _facts(item: MessageIncident) -> list[tuple[str, str]]:
    """Label and value of what an incident's block lists, without its heading and link."""
    facts = [("Object", one_line(item.subject)), ("Since", _moment(item.since))]
    if item.resolved_at is not None:
        lasted = duration((item.resolved_at - item.since).total_seconds())
        facts.append(("Resolved", f"{_moment(item.resolved_at)}, after {lasted}"))
    elif item.phase not in {"", "open"}:
        facts.append(("State", one_line(item.phase, 16)))
    facts += [("Affected", one_line(effect)) for effect in item.effects[:MAX_EFFECTS]]
    facts.append(("Details", one_line(item.detail, MAX_DETAIL)))
    return [(label, value) for label, value in facts if value]


def _links(message: Message) -> list[tuple[str, str]]:
    links = [("Acknowledge", web_link(message.acknowledge_link)), ("Incidents", web_link(message.link))]
    return [(label, url) for label, url in links if url]


def _unlisted(message: Message) -> int:
    return max(len(message.incidents) - MAX_LISTED, 0)


def _counted(message: Message, hidden: int) -> str:
    number = message.more + hidden
    return f"and {count(number, 'more incident', 'more incidents')}" if number else ""


_Block = Callable[[MessageIncident], str]
_End = Callable[[Message, int], list[str]]


def _fitting(message: Message, block: _Block, end: _End, limit: int) -> str:
    """The longest form of whole incidents that fits; the first one is cut if it alone is too long."""
    blocks = [block(item) for item in message.incidents]
    for listed in range(len(blocks), 0, -1):
        rest = end(message, len(blocks) - listed)
        result = "\n\n".join([*blocks[:listed], *rest])
        if len(result) <= limit:
            return result
    rest = end(message, max(len(blocks) - 1, 0))
    tail = "\n\n".join(["", *rest]) if blocks else "\n\n".join(rest)
    # A backslash at the cut would escape what follows.
    head = shortened(blocks[0], max(limit - len(tail), 0)) if blocks else ""
    return (
        head.removesuffix(_ELLIPSIS).rstrip("\\") + _ELLIPSIS if head.endswith(_ELLIPSIS) else head
    ) + tail


def _plain_block(item: MessageIncident) -> str:
    link = [("Link", web_link(item.link))] if web_link(item.link) else []
    return "\n".join([_heading(item), *(f"{label}: {value}" for label, value in [*_facts(item), *link])])


def _plain_end(message: Message, hidden: int) -> list[str]:
    links = "\n".join(f"{label}: {url}" for label, url in _links(message))
    return [line for line in (_counted(message, hidden), links, f"Site: {one_line(message.site)}") if line]


def _target(url: str) -> str:
    """The URL as the target of a link, which ends at a parenthesis; some services know no `<URL>`."""
    return url.replace("(", "%28").replace(")", "%29")


def _markdown_block(item: MessageIncident) -> str:
    url = web_link(item.link)
    heading = f"**{escape_markdown(_heading(item))}**"
    lines = [f"- {label}: {escape_markdown(value)}" for label, value in _facts(item)]
    return "\n".join([heading, "", *lines, *([f"- [Open the incident]({_target(url)})"] if url else [])])


def _markdown_end(message: Message, hidden: int) -> list[str]:
    links = " · ".join(f"[{label}]({_target(url)})" for label, url in _links(message))
    site = f"Site: {escape_markdown(message.site)}"
    return [line for line in (_counted(message, hidden), links, site) if line]


def _html_block(item: MessageIncident) -> str:
    colour = COLOURS[
        "resolved" if item.is_resolved else item.severity if item.severity in COLOURS else "warning"
    ]
    rows = "".join(
        f'<tr><td style="padding-right:1em;color:#595959">{label}</td><td>{escape(value)}</td></tr>'
        for label, value in _facts(item)
    )
    url = web_link(item.link)
    link = f'<p><a href="{escape(url)}">Open the incident</a></p>' if url else ""
    return (
        f'<h2 style="font-size:1.1em;color:{colour}">{escape(_heading(item))}</h2><table>{rows}</table>{link}'
    )


def _html_end(message: Message) -> str:
    links = " · ".join(f'<a href="{escape(url)}">{label}</a>' for label, url in _links(message))
    parts = (_counted(message, _unlisted(message)), links, f"Site: {escape(one_line(message.site))}")
    return "".join(f"<p>{part}</p>" for part in parts if part)
