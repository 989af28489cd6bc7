"""Running and saved state, for clients."""

from collections import Counter
from collections.abc import Iterable

from backstay.api.http.schemas import State
from backstay.api.http.urls import node_url
from backstay.api.saved_state.schemas import SavedItem, SavedNode
from backstay.core.diagnosis.saved_ports import Item, compare, saved_ports
from backstay.core.formatting import count
from backstay.core.model.state import WORST_FIRST
from backstay.core.planning.reminders import reminders, system_of
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


def ranks(nodes: Iterable[SavedNow]) -> dict[int, int]:
    """Node id -> rank of its state, worst first."""
    return {node.node_id: WORST_FIRST[_state(node, _items(node))[0]] for node in nodes}


def _items(node: SavedNow) -> list[Item]:
    return compare(node.ports, saved_ports(text for _, text in node.files)) if node.files else []


def _state(node: SavedNow, items: list[Item]) -> tuple[State, str]:
    if not node.own_agent:
        reported = "; ".join(node.reported)
        return (
            "unknown",
            f"The saved state cannot be read{f' ({reported})' if reported else ''}.",
        )
    if not node.files:
        return "unknown", "No boot file is read: add a routing or arp key to the node in the site file."
    verdicts = Counter(item.verdict for item in items)
    if verdicts["differs"]:
        return "warning", f"{count(verdicts['differs'], 'setting')} of its ports would change at a reboot."
    if verdicts["unknown"]:
        return "unknown", f"No known boot file sets {count(verdicts['unknown'], 'setting')} of its ports."
    return "ok", "The running state of all its ports is saved."
