"""Every kind of incident has a runbook, and every runbook is found by somebody who needs it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from backstay.alerts.rule import Rule
from backstay.alerts.rules import RULES

DOCS = Path(__file__).parents[4] / "docs"
RUNBOOKS = {path.stem: path.read_text() for path in (DOCS / "runbooks").glob("*.md")}
SECTIONS = ("# Runbook: ", "## 1. Verify", "## 2. Act", "## What Backstay does automatically")


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_every_kind_has_a_runbook_with_commands_and_what_clears_it(rule: Rule) -> None:
    text = RUNBOOKS[rule.runbook]
    assert [section for section in SECTIONS if section not in text] == []
    verify = text.partition(SECTIONS[1])[2].partition(SECTIONS[2])[0]
    assert "```sh\n" in verify


def test_every_runbook_belongs_to_a_kind_or_is_linked_from_a_document() -> None:
    named = {rule.runbook for rule in RULES.values()}
    documents = [*DOCS.glob("*.md"), *(DOCS / "runbooks").glob("*.md")]
    linked = {
        name
        for path in documents
        for name in re.findall(r"\]\((?:runbooks/)?([a-z-]+)\.md[)#]", path.read_text())
        if name != path.stem
    }
    assert sorted(RUNBOOKS.keys() - named - linked) == []


def test_links_between_runbooks_lead_to_runbooks() -> None:
    links = {link for text in RUNBOOKS.values() for link in re.findall(r"\]\(([a-z-]+)\.md\)", text)}
    assert links
    assert sorted(links - RUNBOOKS.keys()) == []
