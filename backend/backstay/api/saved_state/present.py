"""Running and saved state, for clients."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from backstay.api.http.schemas import State
from backstay.api.http.urls import node_url
from backstay.api.saved_state.schemas import SavedItem, SavedNode
from backstay.core.diagnosis.saved_ports import SavedValue, compare, saved_ports
from backstay.core.formatting import count
from backstay.core.model.state import SAVED_STATES, decide
from backstay.core.planning.reminders import reminders, system_of

if TYPE_CHECKING:
    from backstay.telemetry.selectors.saved import SavedNow


def saved_out(node: SavedNow) -> SavedNode:
    """One node."""
    items = _items(node)
    state, text = _state(node, items)
    by_hand = [] if node.own_agent else reminders(system_of(node.systems, node.description))
    return SavedNode(
        node=node.node,
        node_id=node.node_id,
        state=state,
        text=text,
        files=[path for path, _ in node.files],
        items=[
            SavedItem(
                port=item.port, what=item.what, running=item.running, saved=item.saved, verdict=item.verdict
            )
            for item in items
        ],
        reported=list(node.reported),
        reminders=by_hand,
        url=node_url(node.node_id),
    )


def _items(node: SavedNow) -> list[SavedValue]:
    return compare(node.ports, saved_ports(text for _, text in node.files)) if node.files else []


def _state(node: SavedNow, items: list[SavedValue]) -> tuple[State, str]:
    verdicts = Counter(item.verdict for item in items)
    facts = {
        "is_own_agent": node.own_agent,
        "has_files": bool(node.files),
        "has_differing": bool(verdicts["differs"]),
        "has_unknown": bool(verdicts["unknown"]),
    }
    rule = decide(SAVED_STATES, facts)
    reported = "; ".join(node.reported)
    text = rule.text.format(
        reported=f" ({reported})" if reported else "",
        differing=count(verdicts["differs"], "setting"),
        unknown=count(verdicts["unknown"], "setting"),
    )
    return rule.state, text
