"""A message's forms: what they say, and that no name in them is code for whoever reads them."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import markdown as renderer  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.alerting.message import (
    MAX_LISTED,
    MAX_SUBJECT,
    MAX_TEXT,
    Message,
    MessageIncident,
    Reason,
    escape_markdown,
    html,
    markdown,
    one_line,
    payload,
    severity,
    subject,
    text,
    web_link,
    without_mentions,
)

NOW = datetime(2026, 11, 27, 15, 0, tzinfo=UTC)
CUT = MessageIncident(
    id=7,
    title="grf1 lost all links",
    detail="3 of 3 links of grf1 have no carrier.",
    severity="critical",
    kind="gateway_isolated",
    subject="grf1",
    phase="open",
    since=NOW - timedelta(minutes=5),
    resolved_at=None,
    effects=("3 paths dead, 7 rerouted to atmgw",),
    link="https://backstay.example.org/incidents/7",
    labels={"fabric": "hippi"},
    value=None,
    threshold=None,
)
FULL = replace(
    CUT,
    id=8,
    title="sp01 sw0 is saturated",
    subject="sp01 sw0",
    severity="warning",
    value=0.97,
    threshold=0.9,
)
MESSAGE = Message(
    key="route-1/argonne/17",
    site="argonne",
    reason="opened",
    incidents=(CUT, FULL),
    more=3,
    sent_at=NOW,
    link="https://backstay.example.org/incidents",
    acknowledge_link="https://backstay.example.org/acknowledge?token=abc",
)
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>\"'>",
    "grf1\r\nBcc: everybody@example.org\r\n\r\nhello",
    "\x1b[2J\x1b]0;owned\x07\x9b31m",
    '=HYPERLINK("http://evil")',
    "<!channel> <@U1> <https://evil.example|click> *bold* `code`",
    "[click](https://evil.example) ![x](https://evil.example/x.png) <at>all</at> @everyone",
    "\u202egpj.exe\u2066\u2069\u200b\ufeff\U000e0041",
    "a\u2028b\u2029c\x85d\x0be\x0cf",
    "\ud800lone",
)


def with_name(name: str) -> Message:
    """A message in which every text is the name."""
    incident = replace(
        CUT, title=name, detail=name, subject=name, effects=(name,), link=name, labels={name: name}, kind=name
    )
    return replace(MESSAGE, incidents=(incident,), site=name, key=name, link=name, acknowledge_link=name)


def test_text_says_what_where_how_bad_since_when_and_what_is_affected() -> None:
    assert text(replace(MESSAGE, incidents=(CUT,))).splitlines() == [
        "Critical: grf1 lost all links",
        "Object: grf1",
        "Since: 2026-11-27 14:55:00 UTC",
        "Affected: 3 paths dead, 7 rerouted to atmgw",
        "Details: 3 of 3 links of grf1 have no carrier.",
        "Link: https://backstay.example.org/incidents/7",
        "",
        "and 3 more incidents",
        "",
        "Acknowledge: https://backstay.example.org/acknowledge?token=abc",
        "Incidents: https://backstay.example.org/incidents",
        "",
        "Site: argonne",
    ]


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("opened", "[critical] argonne: grf1 lost all links, and 4 more"),
        ("worse", "[worse, now critical] argonne: grf1 lost all links, and 4 more"),
        ("reminder", "[still critical] argonne: grf1 lost all links, and 4 more"),
        ("escalated", "[critical, not acknowledged] argonne: grf1 lost all links, and 4 more"),
        ("resolved", "[resolved] argonne: grf1 lost all links, and 4 more"),
        ("test", "[test] argonne: grf1 lost all links, and 4 more"),
    ],
)
def test_subject_begins_with_the_reason(reason: Reason, expected: str) -> None:
    assert subject(replace(MESSAGE, reason=reason)) == expected


def test_severity_is_the_worst_that_lasts() -> None:
    ended = replace(CUT, phase="resolved", resolved_at=NOW)
    assert severity(MESSAGE) == "critical"
    assert severity(replace(MESSAGE, incidents=(ended, FULL))) == "warning"
    assert severity(replace(MESSAGE, incidents=(ended,))) == "resolved"


def test_a_resolved_incident_says_how_long_it_lasted() -> None:
    ended = replace(CUT, phase="resolved", resolved_at=NOW)
    ended_text = text(replace(MESSAGE, reason="resolved", incidents=(ended,), more=0))
    assert ended_text.startswith("Resolved: grf1 lost all links\n")
    assert "Resolved: 2026-11-27 15:00:00 UTC, after 5 min" in ended_text


def test_payload_is_json_with_all_fields_of_an_incident() -> None:
    got = json.loads(json.dumps(payload(MESSAGE)))
    assert (got["version"], got["key"], got["site"], got["reason"], got["more"]) == (
        1, "route-1/argonne/17", "argonne", "opened", 3,
    )  # fmt: skip
    assert got["incidents"][1] == {
        "id": 8,
        "title": "sp01 sw0 is saturated",
        "detail": CUT.detail,
        "severity": "warning",
        "kind": "gateway_isolated",
        "subject": "sp01 sw0",
        "phase": "open",
        "since": "2026-11-27T14:55:00.000Z",
        "resolved_at": None,
        "effects": ["3 paths dead, 7 rerouted to atmgw"],
        "link": CUT.link,
        "labels": {"fabric": "hippi"},
        "value": 0.97,
        "threshold": 0.9,
    }


def test_what_does_not_fit_is_counted() -> None:
    many = replace(MESSAGE, incidents=(CUT,) * 200, more=5)
    short = text(many, 1_000)
    listed = short.count("Object: grf1")
    assert 0 < listed < 5
    assert f"and {205 - listed} more incidents" in short
    assert len(text(many)) <= MAX_TEXT
    got = payload(many)
    assert isinstance(got["incidents"], list)
    assert (len(got["incidents"]), got["more"]) == (MAX_LISTED, 155)
    assert html(many).count("<table>") == MAX_LISTED
    assert "and 155 more incidents" in html(many)


def test_a_message_without_incidents_has_all_forms() -> None:
    empty = replace(MESSAGE, incidents=(), more=0, reason="test")
    assert subject(empty) == "[test] argonne: 0 incidents"
    assert "Site: argonne" in text(empty)
    assert "Site: argonne" in html(empty)
    assert payload(empty)["incidents"] == []


class Page(HTMLParser):
    """Collects tags, attributes and text of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update((name, value or "") for name, value in attrs if name not in {"style", "lang"})


def unsafe(value: str) -> list[str]:
    return [
        one for one in value if unicodedata.category(one) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and one != "\n"
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_is_code_in_any_form(name: str) -> None:
    message = with_name(name)
    assert "\n" not in subject(message)
    for form in (
        subject(message),
        text(message),
        markdown(message),
        html(message),
        json.dumps(payload(message)),
    ):
        assert unsafe(form) == []
        form.encode()
    page = Page()
    page.feed(html(message))
    assert page.tags <= {"html", "head", "meta", "title", "body", "h2", "table", "tr", "td", "p", "a"}
    assert page.attributes == {("charset", "utf-8")}
    rendered = Page()
    rendered.feed(renderer.markdown(markdown(message)))
    assert rendered.tags <= {"p", "strong", "ul", "li"}
    assert "@" not in markdown(message)


@given(st.text(max_size=400))
def test_a_line_of_any_text_is_short_printable_and_stays_so(value: str) -> None:
    line = one_line(value, 40)
    assert len(line) <= 40
    assert unsafe(line.replace("\u200d", "").replace("\u200c", "")) == []
    assert one_line(line, 40) == line


@given(st.text(max_size=600), st.integers(min_value=400, max_value=3_000))
def test_every_form_keeps_its_limit(name: str, limit: int) -> None:
    message = replace(with_name(name), incidents=(with_name(name).incidents[0],) * 3)
    assert len(subject(message)) <= MAX_SUBJECT
    assert len(text(message, limit)) <= limit or not message.site
    assert len(markdown(replace(message, site="argonne"), limit)) <= limit


def test_markdown_escapes_what_dialects_read() -> None:
    assert escape_markdown("a*b_c`d[e](f)<g>#h|i~j!k\\l") == (
        "a\\*b\\_c\\`d\\[e\\]\\(f\\)&lt;g&gt;\\#h\\|i\\~j\\!k\\\\l"
    )
    assert escape_markdown("http://evil www.evil") == "http\\://evil www\\.evil"
    assert without_mentions("@here") == "\uff20here"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://a b",
        'https://a"onload=',
        "//evil",
        "https://a\nb",
        "ftp://a",
    ],
)
def test_only_clean_web_addresses_are_links(url: str) -> None:
    assert web_link(url) == ""
    assert web_link("https://backstay.example.org/incidents/7?a=b&c=d") != ""
