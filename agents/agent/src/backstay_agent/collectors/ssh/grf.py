"""GigaRouter (GRF 400, 1600): cards, ports, circuits and dropped packets from `grcard`, `grstat` and two
files.

The output of its other tools (grrt, grinet, grass) is not documented, so they are not used; gated's routes
are in gated's dump.
"""

from collections import Counter
from collections.abc import Mapping

from backstay_agent.collectors.deltas import Values
from backstay_agent.collectors.ssh.view import HostView, Shell
from backstay_agent.parsers import text
from backstay_agent.parsers.systems import grf, grf_conf
from backstay_wire import MetricValue, PortState
from backstay_wire.metrics.grf import METRICS

_NAME = "hostname"
_CARDS = "grcard"
_PORTS = "cat /etc/grifconfig.conf"
_CIRCUITS = "cat /etc/gratm.conf"
COMMANDS = (_NAME, _CARDS, _PORTS, _CIRCUITS)
"""All commands run there, plus `grstat all` and `grstat -a l2` of a port: by its name in grifconfig.conf, and
only if that is g, a letter and three hex digits (parsers/systems/grf_conf.py)."""

# By the hardware's name without its release; named as in the SNMP profile, so that both identify one card.
_MEDIA = {"DEV1": "SP switch", "ATM_OC3": "ATM OC-3", "HSSI": "HSSI", "ETHER": "Ethernet"}
# The SP switch adapter: 100 MB/s in each direction.
_SPEEDS = {"t": 800_000_000, "h": 800_000_000, "f": 100_000_000}
_CARD_SPEEDS = {"ATM OC-3": 155_520_000}
_IF_TYPES = {"e": 6, "f": 15, "a": 37, "h": 47}
_RUNNING = "running"
_STATES = next(metric for metric in METRICS if metric.name == "grf.card_state").states.values()
_LAYER_2 = ("RX bytes", "TX bytes", "RX packets", "TX packets", "RX errors", None, "RX discard", None)
"""In the order of deltas.COLUMNS."""
_WIDTHS = (32,) * len(_LAYER_2)
"""Not documented; 32 bits assumed, as usual for 32-bit machines of its time."""
_LAYER_2_FIGURES = {"FIFO full": "grf.fifo_full", "Line down": "grf.line_down"}
_IP_FIGURES = {"packets dropped": "grf.ip_dropped", "packets handled by the card": "grf.ip_by_card"}
_ICMP_FIGURES = {"icmperr": "grf.icmp_errors", "icmpin": "grf.icmp_received", "icmpout": "grf.icmp_sent"}
_DROP_FIGURES = {
    "packet received on down interface": "grf.drop_port_down",
    "bad header checksum": "grf.drop_checksum",
    "no route to destination address": "grf.drop_no_route",
    "destination interface is down": "grf.drop_destination_down",
    "TTL expired": "grf.drop_ttl",
    "needed to frag packet but DF set": "grf.drop_dont_fragment",
    "route table says to drop dest addr": "grf.drop_by_table",
    "local interface is down for ICMP ECHO": "grf.drop_echo_port_down",
    "no route back for reply to ICMP ECHO": "grf.drop_echo_no_route",
    "can't forward to/through control board": "grf.drop_control_board",
}


async def read(shell: Shell) -> HostView:
    """Read once. Raises SshError, TimeoutError."""
    cards, cards_rest = grf.cards(await shell.run(_CARDS))
    ports, ports_rest = grf_conf.ports(await shell.run(_PORTS))
    circuits, circuits_rest = grf_conf.circuits(await shell.run(_CIRCUITS))
    ports = list({port.name: port for port in ports}.values())
    counted: dict[str, grf.GrfCounts] = {}
    unknown = [*cards_rest, *ports_rest, *circuits_rest]
    for port in ports:
        counted[port.name], rest = await _counts(shell, port.name)
        unknown += rest
    by_slot = {card.slot: card for card in cards}
    return HostView(
        name=text.text((await shell.run(_NAME)).strip()),
        description="GigaRouter",
        ports=[_state(index, port, by_slot.get(port.slot)) for index, port in enumerate(ports, start=1)],
        counters={name: _counters(counts.layer2) for name, counts in counted.items()},
        widths=_WIDTHS,
        growing={key: value for counts in counted.values() for key, value in _growing(counts).items()},
        levels=[*map(_card_state, cards), *_circuits(circuits)],
        unparsed=len(unknown),
    )


async def _counts(shell: Shell, port: str) -> tuple[grf.GrfCounts, list[str]]:
    """Both tables of one port, and the lines that are unknown or belong to another port."""
    merged, unknown = grf.GrfCounts(port), list[str]()
    for command in (f"grstat all {port}", f"grstat -a l2 {port}"):
        found, rest = grf.counts(await shell.run(command))
        unknown += rest
        for counts in found:
            if counts.port != port:
                unknown.append(counts.port)
                continue
            merged.layer2 |= counts.layer2
            merged.ip |= counts.ip
            merged.drops |= counts.drops
            merged.icmp |= counts.icmp
    return merged, unknown


def _medium(card: grf.Card) -> str:
    """`DEV1_V1` as `SP switch`; an unknown name stays as the router reports it."""
    return _MEDIA.get(card.hardware.rpartition("_V")[0], card.hardware)


def _state(index: int, port: grf_conf.GrfPort, card: grf.Card | None) -> PortState:
    """A port is up if its card is: grcard is the only source."""
    speed = _CARD_SPEEDS.get(_medium(card), 0) if card else 0
    return PortState(
        name=port.name,
        index=index,
        if_type=_IF_TYPES.get(port.medium, 0),
        speed=_SPEEDS.get(port.medium, speed),
        mtu=port.mtu,
        admin_up=True,
        oper_up=card is not None and card.state == _RUNNING,
        addresses=[str(port.address)],
    )


def _counters(layer2: Mapping[str, int]) -> Values:
    return [layer2.get(row) if row else None for row in _LAYER_2]


def _growing(counts: grf.GrfCounts) -> dict[tuple[str, str], int]:
    """Counters beyond traffic. A reason without a row has not occurred yet: it counts 0."""
    found = {metric: counts.drops.get(reason, 0) for reason, metric in _DROP_FIGURES.items() if counts.ip}
    for rows, metrics in (
        (counts.layer2, _LAYER_2_FIGURES),
        (counts.ip, _IP_FIGURES),
        (counts.icmp, _ICMP_FIGURES),
    ):
        found |= {metric: rows[row] for row, metric in metrics.items() if row in rows}
    return {(counts.port, metric): value for metric, value in found.items()}


def _card_state(card: grf.Card) -> MetricValue:
    label = card.state.lower().replace(" ", "-")
    subject = f"card {card.slot} ({_medium(card)})"
    return MetricValue(subject=subject, metric="grf.card_state", value=label if label in _STATES else "other")


def _circuits(circuits: list[grf_conf.GrfCircuit]) -> list[MetricValue]:
    ports = Counter(circuit.port for circuit in circuits)
    return [MetricValue(subject=port, metric="grf.circuits", value=count) for port, count in ports.items()]
