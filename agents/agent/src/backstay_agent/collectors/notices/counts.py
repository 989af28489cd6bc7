"""Counts of one port that receives notices, since the collector's start; the register names them."""

from dataclasses import dataclass, fields

from backstay_agent.collectors.metric_reporter import Counters


@dataclass(slots=True)
class Counts:
    """Datagrams by what became of them; each field is a metric `notices.FIELD`."""

    received: int = 0
    kernel_drops: int = 0
    suppressed: int = 0
    overflows: int = 0
    malformed: int = 0
    untrusted: int = 0
    unknown_senders: int = 0

    def counters(self, port: str) -> Counters:
        """As device metrics with the port as their subject."""
        return {(port, f"notices.{item.name}"): getattr(self, item.name) for item in fields(self)}
