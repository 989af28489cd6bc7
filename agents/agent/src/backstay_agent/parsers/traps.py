"""Known SNMP notifications: their names, severities and subjects."""

from collections.abc import Sequence
from ipaddress import IPv4Address

from backstay_agent.parsers import text
from backstay_agent.parsers.ifmib import IF_DESCR, IF_NAME, Oid, Value
from backstay_agent.parsers.syslog import Severity

_STANDARD: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 5)
_GRF: Oid = (1, 3, 6, 1, 4, 1, 1080, 1, 1, 0)
_SP: Oid = (1, 3, 6, 1, 4, 1, 2, 6, 117, 4, 0)
_SMA: Oid = (1, 3, 6, 1, 3, 117, 3, 2)
_MELLANOX: Oid = (1, 3, 6, 1, 4, 1, 33049, 2)
_LAG: Oid = (1, 2, 840, 10006, 300, 43, 0)
_NSC: Oid = (1, 3, 6, 1, 4, 1, 10, 2, 2, 4, 0)

_Known = tuple[str, Severity]
_SMA_TRAPS: dict[int, _Known] = {
    1: ("ib_port_state", "warning"),
    2: ("ib_link_integrity", "critical"),
    3: ("ib_buffer_overrun", "critical"),
    4: ("ib_flow_control_timeout", "critical"),
    5: ("ib_capability_change", "ok"),
    6: ("ib_guid_change", "warning"),
    7: ("ib_bad_management_key", "critical"),
    8: ("ib_bad_partition_key", "warning"),
    9: ("ib_bad_queue_key", "warning"),
    10: ("ib_bad_partition_key", "warning"),
}
_KNOWN: dict[Oid, _Known] = {
    (*_STANDARD, 1): ("cold_start", "warning"),
    (*_STANDARD, 2): ("warm_start", "warning"),
    (*_STANDARD, 3): ("link_down", "critical"),
    (*_STANDARD, 4): ("link_up", "ok"),
    (*_STANDARD, 5): ("authentication_failure", "warning"),
    (*_GRF, 1): ("power_failure", "critical"),
    (*_GRF, 2): ("over_temperature", "critical"),
    (*_GRF, 3): ("fan_failure", "critical"),
    (*_GRF, 4): ("card_down", "critical"),
    (*_GRF, 5): ("card_up", "ok"),
    **{(*_GRF, number): ("sonet_alarm", "critical") for number in range(6, 16)},
    (*_GRF, 16): ("pvc_up", "ok"),
    (*_GRF, 17): ("pvc_down", "critical"),
    (*_GRF, 18): ("link_down", "critical"),
    **{(*_GRF, number): ("threshold", "warning") for number in (*range(19, 35), *range(37, 53))},
    (*_GRF, 35): ("gated_down", "critical"),
    (*_GRF, 36): ("snmp_reset", "warning"),
    (*_GRF, 53): ("backup", "ok"),
    (*_SP, 1): ("switch_info_needed", "warning"),
    (*_SP, 2): ("switch_config_state", "warning"),
    (*_SP, 3): ("switch_node_up", "ok"),
    (*_SP, 4): ("switch_node_down", "critical"),
    (*_NSC, 3): ("link_up", "ok"),
    (*_NSC, 4): ("link_down", "critical"),
    (*_NSC, 5): ("fddi_wrap", "critical"),
    (*_LAG, 1): ("aggregate_up", "ok"),
    (*_LAG, 2): ("aggregate_down", "critical"),
    **{(*_SMA, 0, number): known for number, known in _SMA_TRAPS.items()},
    **{(*_SMA, number): known for number, known in _SMA_TRAPS.items()},
    (*_MELLANOX, 1, 2, 9): ("fan_failure", "critical"),
    (*_MELLANOX, 2, 2, 3): ("over_temperature", "critical"),
    (*_MELLANOX, 3, 2, 1): ("sm_up", "ok"),
    (*_MELLANOX, 3, 2, 2): ("sm_down", "critical"),
    (*_MELLANOX, 3, 2, 3): ("sm_restart", "warning"),
    (1, 3, 6, 1, 2, 1, 37, 1, 14, 2, 1, 0, 1): ("pvc_down", "critical"),
    (1, 3, 6, 1, 2, 1, 47, 2, 0, 1): ("parts_changed", "ok"),
    (1, 0, 8802, 1, 1, 2, 0, 0, 1): ("neighbours_changed", "ok"),
}
_IF_INDEX: Oid = (1, 3, 6, 1, 2, 1, 2, 2, 1, 1)
_CARD_SLOT: Oid = (1, 3, 6, 1, 4, 1, 1080, 1, 1, 1, 5, 1, 1)
_VPI: Oid = (1, 3, 6, 1, 4, 1, 1080, 1, 1, 4, 1, 1, 2)
_VCI: Oid = (1, 3, 6, 1, 4, 1, 1080, 1, 1, 4, 1, 1, 3)
_SP_NODE: Oid = (1, 3, 6, 1, 4, 1, 2, 6, 117, 4, 1, 1, 1)
Variables = Sequence[tuple[Oid, Value | None]]


def known(trap: Oid) -> _Known:
    """A notification's name and severity; (`other`, `warning`) for an unknown one."""
    return _KNOWN.get(trap, ("other", "warning"))


def subject(variables: Variables) -> str:
    """The port or part that a notification's variables name."""
    for column in (IF_NAME, IF_DESCR, _SP_NODE):
        value = _first(variables, column)
        if isinstance(value, bytes) and value:
            return text.from_octets(value)[:128]
    slot = _first(variables, _CARD_SLOT)
    if isinstance(slot, int):
        return f"card {slot}"
    vpi, vci = _first(variables, _VPI), _first(variables, _VCI)
    if isinstance(vpi, int) and isinstance(vci, int):
        return f"{vpi}/{vci}"
    index = _first(variables, _IF_INDEX)
    return f"ifIndex {index}" if isinstance(index, int) else ""


def described(trap: Oid, variables: Variables) -> str:
    """The notification and its variables in one line."""
    parts = [f"{_dotted(name)}={_shown(value)}" for name, value in variables]
    return text.text(" ".join([_dotted(trap), *parts]))


def _first(variables: Variables, column: Oid) -> Value | None:
    return next((value for name, value in variables if name[: len(column)] == column), None)


def _dotted(oid: Oid) -> str:
    return ".".join(map(str, oid))


def _shown(value: Value | None) -> str:
    if isinstance(value, tuple):
        return _dotted(value)
    if isinstance(value, bytes):
        return str(IPv4Address(value)) if len(value) == 4 and not value.isascii() else text.from_octets(value)
    return "" if value is None else str(value)
