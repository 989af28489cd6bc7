"""Differences that a node reports after applying."""

from backstay_agent.changes.executor import changed_lines


def test_changes_by_applying_are_reported_line_by_line() -> None:
    rows = changed_lines(
        "a up\n0.0.0.0/0 via 10.1.0.16\nf sha256 1", "a up\n0.0.0.0/0 via 10.1.0.77\nf sha256 1"
    )
    assert [(row.what, row.found, row.stage) for row in rows] == [
        ("0.0.0.0/0 via 10.1.0.77", "new", "applied"),
        ("0.0.0.0/0 via 10.1.0.16", "gone", "applied"),
    ]
    assert changed_lines("same", "same") == []
