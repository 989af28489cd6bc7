"""An alert of another system: the node that it names, its severity, its texts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.alerting.external_alert import ExternalAlert, external_alert, without_port

NOW = datetime(2026, 11, 27, 15, 0, tzinfo=UTC)


def alert(labels: dict[str, str], **more: object) -> ExternalAlert:
    given: dict[str, object] = {
        "status": "firing", "labels": labels, "annotations": {}, "starts_at": NOW - timedelta(minutes=1),
        "fingerprint": "00c0ffee00c0ffee", "link": "", "now": NOW,
    }  # fmt: skip
    return external_alert(**{**given, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ({"instance": "grf1:9100"}, ("grf1",)),
        ({"instance": "grf1.example.org:9100"}, ("grf1.example.org", "grf1")),
        ({"instance": "10.1.0.1:9100"}, ("10.1.0.1",)),
        ({"instance": "[fe80::1]:9100"}, ("fe80::1",)),
        ({"instance": "prom:9090", "node": "sp01"}, ("sp01", "prom")),
        ({"job": "node"}, ()),
        ({"instance": ":9100"}, ()),
    ],
)
def test_labels_name_a_machine(labels: dict[str, str], names: tuple[str, ...]) -> None:
    assert alert(labels).node_names == names


@pytest.mark.parametrize(
    ("severity", "expected"),
    [
        ("critical", "critical"),
        ("page", "critical"),
        ("Error", "critical"),
        ("warning", "warning"),
        ("", "warning"),
    ],
)
def test_severity_is_one_of_two(severity: str, expected: str) -> None:
    assert alert({"severity": severity}).severity == expected


def test_texts_say_what_the_sender_said() -> None:
    found = alert(
        {"alertname": "InstanceDown", "instance": "grf1:9100", "severity": "page", "job": "node"},
        annotations={"summary": "grf1 is down", "description": "No scrape for 5 min"},
        link="http://prometheus/graph?g0=up",
    )
    assert found.title == "grf1 is down"
    assert found.detail == (
        "No scrape for 5 min · alertname=InstanceDown, severity=page, instance=grf1:9100, job=node"
        " · http://prometheus/graph?g0=up"
    )
    assert alert({"alertname": "InstanceDown", "instance": "grf1:9100"}).title == "grf1: InstanceDown"
    assert alert({}).title == "alert"


def test_times_that_cannot_be_are_replaced() -> None:
    assert alert({}).since == NOW - timedelta(minutes=1)
    assert alert({}, starts_at=NOW + timedelta(days=1)).since == NOW
    assert alert({}, starts_at=datetime(1, 1, 1, tzinfo=UTC)).since == NOW
    assert alert({}, starts_at=None).since == NOW


def test_without_a_usable_fingerprint_the_labels_identify_it() -> None:
    one, same = alert({"a": "1", "b": "2"}, fingerprint="../x"), alert({"b": "2", "a": "1"}, fingerprint="")
    assert one.fingerprint == same.fingerprint
    assert one.fingerprint != alert({"a": "1", "b": "3"}, fingerprint="").fingerprint
    assert alert({}).fingerprint == "00c0ffee00c0ffee"


@given(st.dictionaries(st.text(max_size=40), st.text(max_size=400), max_size=80), st.text(max_size=100))
def test_any_labels_are_accepted_as_short_printable_lines(labels: dict[str, str], fingerprint: str) -> None:
    found = alert(labels, fingerprint=fingerprint, annotations=labels, link=fingerprint)
    assert len(found.labels) <= 64
    for text in (found.title, found.detail, found.machine, found.name, *found.node_names):
        assert not [one for one in text if one in "\r\n\x1b\x00\u202e\u2028"]
    assert len(found.title) <= 620
    assert len(found.fingerprint) <= 64


def test_ports_are_cut_from_hosts() -> None:
    assert [without_port(one) for one in ("a:1", "a", "fe80::1", "[::1]:9", "a:b")] == [
        "a",
        "a",
        "fe80::1",
        "::1",
        "a:b",
    ]
