"""A driver's counters as `ethtool -S` prints them: those of mlx5 that explain lost packets. Pure.

Names: the kernel's documentation of mlx5, `ethernet/mellanox/mlx5/counters.rst`. Counters of queues and rings
are not kept: a port has thousands.
"""

import re
from collections.abc import Mapping

_HEAD = "NIC statistics:"
_PAIR = re.compile(r"\s+(?P<name>[^:]+?):\s*(?P<value>\d+)\s*")
_PRIORITY = re.compile(r"(?P<way>rx|tx)_prio\d+_pause")
_COUNTERS: Mapping[str, str] = {
    "rx_out_of_buffer": "ethtool.out_of_buffer",
    "rx_discards_phy": "ethtool.rx_discards",
    "tx_discards_phy": "ethtool.tx_discards",
    "rx_crc_errors_phy": "ethtool.crc_errors",
    "rx_symbol_err_phy": "ethtool.symbol_errors",
    "rx_corrected_bits_phy": "ethtool.corrected_bits",
    "link_down_events_phy": "ethtool.link_downs",
    "rx_pause_ctrl_phy": "ethtool.rx_pauses",
    "tx_pause_ctrl_phy": "ethtool.tx_pauses",
}
_PRIORITY_PAUSES = {"rx": "ethtool.rx_priority_pauses", "tx": "ethtool.tx_priority_pauses"}


class EthtoolError(ValueError):
    """The text is not ethtool's: no head, or another program's."""


def counters(output: str) -> tuple[dict[str, int], list[str]]:
    """Metric -> counter, pauses summed over the priorities; and the lines that are no counter.

    Raises EthtoolError.
    """
    lines = [line for line in output.splitlines() if line.strip()]
    if not lines or lines[0].strip() != _HEAD:
        raise EthtoolError("no NIC statistics")
    found: dict[str, int] = {}
    unparsed: list[str] = []
    for line in lines[1:]:
        pair = _PAIR.fullmatch(line)
        if pair is None or len(pair["value"]) > 20:
            unparsed.append(line)
            continue
        priority = _PRIORITY.fullmatch(pair["name"])
        metric = _PRIORITY_PAUSES[priority["way"]] if priority else _COUNTERS.get(pair["name"])
        if metric is not None:
            found[metric] = found.get(metric, 0) + int(pair["value"])
    return found, unparsed
