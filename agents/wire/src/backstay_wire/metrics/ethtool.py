"""Family `ethtool.`: counters of Mellanox adapters (driver mlx5) on hosts with an agent.

Source: `ethtool -S`, ethernet/mellanox/mlx5/counters.rst of the kernel's documentation.
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric


def _count(name: str, title: str, unit: str, sentence: str, counter: str, *, error: bool = False) -> Metric:
    source = f"ethtool -S (mlx5): {counter}"
    return Metric(f"ethtool.{name}", title, "growth", unit, sentence, source, error=error)


METRICS: Sequence[Metric] = (
    _count(
        "out_of_buffer",
        "Out of buffer",
        "packets",
        "The host had no receive buffer for a packet: it was too slow, or its rings are too short.",
        "rx_out_of_buffer",
        error=True,
    ),
    _count(
        "rx_discards",
        "Receive discards",
        "packets",
        "The adapter's own buffer was full: the host's bus or memory was too slow.",
        "rx_discards_phy",
        error=True,
    ),
    _count(
        "tx_discards",
        "Transmit discards",
        "packets",
        "The adapter discarded packets before sending, for example while the link was down.",
        "tx_discards_phy",
        error=True,
    ),
    _count(
        "crc_errors",
        "CRC errors",
        "packets",
        "A frame arrived damaged: check cable and transceiver.",
        "rx_crc_errors_phy",
        error=True,
    ),
    _count(
        "symbol_errors",
        "Symbol errors",
        "errors",
        "The port received invalid symbols: check cable and transceiver.",
        "rx_symbol_err_phy",
        error=True,
    ),
    _count(
        "corrected_bits",
        "Corrected bits",
        "bits",
        "Bits that forward error correction repaired; a cable that ages shows more of them.",
        "rx_corrected_bits_phy",
    ),
    _count("link_downs", "Link downs", "events", "The link went down.", "link_down_events_phy", error=True),
    _count(
        "rx_pauses",
        "Pauses received",
        "frames",
        "The other end asked this port to pause: it, or what is behind it, is congested.",
        "rx_pause_ctrl_phy",
    ),
    _count(
        "tx_pauses",
        "Pauses sent",
        "frames",
        "This port asked the other end to pause: the host is too slow for the traffic.",
        "tx_pause_ctrl_phy",
    ),
    _count(
        "rx_priority_pauses",
        "Priority pauses received",
        "frames",
        "The other end asked this port to pause one or more priorities (PFC), summed over all.",
        "rx_prio0_pause to rx_prio7_pause",
    ),
    _count(
        "tx_priority_pauses",
        "Priority pauses sent",
        "frames",
        "This port asked the other end to pause one or more priorities (PFC), summed over all.",
        "tx_prio0_pause to tx_prio7_pause",
    ),
)
