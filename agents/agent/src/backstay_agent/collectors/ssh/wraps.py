"""Drops octet growth that a narrow counter cannot measure: it may wrap twice between two polls. Pure."""

from dataclasses import replace

from backstay_agent.collectors.deltas import OCTETS, Values, width_is_safe
from backstay_agent.collectors.ssh.view import HostView


def without_ambiguous(view: HostView, interval_s: float) -> HostView:
    """The view without the octets of ports that are too fast for `interval_s`, with the reason in `troubles`.

    A port with unknown speed keeps its octets: `deltas` handles decreases there.
    """
    refused = [
        port.name
        for port in view.ports
        if port.speed and not width_is_safe(min(view.widths[:OCTETS]), port.speed, interval_s)
    ]
    if not refused:
        return view
    reason = f"octets need a look more often than each {interval_s:g} s: {', '.join(refused)}"
    counters = {
        name: _without_octets(values) if name in refused else values for name, values in view.counters.items()
    }
    return replace(view, counters=counters, troubles=(*view.troubles, reason))


def _without_octets(values: Values) -> Values:
    return [None] * OCTETS + list(values[OCTETS:])
