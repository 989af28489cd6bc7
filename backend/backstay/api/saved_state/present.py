"""What runs and what is saved, as people see it."""

from collections import Counter

from backstay.api.http.schemas import State
from backstay.api.http.urls import node_url
from backstay.api.saved_state.schemas import SavedItem, SavedNode
from backstay.core.diagnosis.saved_ports import Item, compare, saved_ports
from backstay.core.formatting import count
from backstay.core.planning.reminders import reminders, system_of
from backstay.telemetry.selectors.saved import SavedNow


def saved_out(told: SavedNow) -> SavedNode:
    """One node."""
    items = compare(told.ports, saved_ports(text for _, text in told.files)) if told.files else []
    state, text = _state(told, items)
    by_hand = [] if told.own_agent else reminders(system_of(told.systems, told.description))
    return SavedNode(
        node=told.node,
        node_id=told.node_id,
        state=state,
        text=text,
        files=[path for path, _ in told.files],
        items=[
            SavedItem(
                port=item.port, what=item.what, running=item.running, saved=item.saved, verdict=item.verdict
            )
            for item in items
        ],
        reported=list(told.told),
        reminders=by_hand,
        url=node_url(told.node_id),
    )


def _state(told: SavedNow, items: list[Item]) -> tuple[State, str]:
    if not told.own_agent:
        said = "; ".join(told.told)
        return "unknown", f"Nobody can read whether it is saved{f' ({said})' if said else ''}."
    if not told.files:
        return "unknown", "No boot file of it is read: give it routing or arp in the site file."
    verdicts = Counter(item.verdict for item in items)
    if verdicts["differs"]:
        return "warning", f"{count(verdicts['differs'], 'setting')} of its ports would change at a boot."
    if verdicts["unknown"]:
        return "unknown", f"No file that is read sets {count(verdicts['unknown'], 'setting')} of its ports."
    return "ok", "All that its ports run is saved."
