"""Recommended additions to the operator's part of a boot file: ICMP redirects off, a kernel protocol."""

from __future__ import annotations

from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import passed, some, warning
from backstay.core.planning.proposal import Proposal

NAME = "advice"


def check(proposal: Proposal) -> list[Finding]:
    """Each recommendation of the renderers once, with all its nodes."""
    by_sentence: dict[str, list[tuple[str, str]]] = {}
    for node, sentences in proposal.advice.items():
        name = proposal.name(node)
        for sentence in sentences:
            by_sentence.setdefault(sentence.replace(name, ""), []).append((name, sentence))
    found = [_finding(item) for item in by_sentence.values()]
    return found or passed(NAME, "The operator's own parts of the boot files need no change.")


def _finding(item: list[tuple[str, str]]) -> Finding:
    nodes = [name for name, _ in item]
    others = f" The same applies to {some(nodes[1:])}." if nodes[1:] else ""
    return warning(NAME, item[0][1] + others, nodes)
