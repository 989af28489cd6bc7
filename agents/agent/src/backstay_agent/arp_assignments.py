"""Assignments of a node with managed ARP: report its address resolution and its saved configuration."""

import asyncio
import contextlib
import logging

from backstay_agent.collectors.context import Context
from backstay_agent.logs import event
from backstay_agent.probes.arp_report import ArpReporter, ArpReportScope
from backstay_wire import Desired, LinuxSource

_log = logging.getLogger(__name__)
_INTERVAL_S = 5.0
"""Interval in seconds if this host's own ports are not collected."""


def report_scope(desired: Desired) -> ArpReportScope | None:
    """What to report on; None: this node's ARP is not managed."""
    if desired.arp_files is None:
        return None
    own = [source.interval_s for source in desired.sources if isinstance(source, LinuxSource)]
    return ArpReportScope(
        device=desired.node,
        files=desired.arp_files,
        revision=desired.arp.revision if desired.arp else 0,
        interval_s=min(own, default=_INTERVAL_S),
    )


class ArpAssignments:
    """The ARP reporter of one node, if it has one."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._about: ArpReportScope | None = None
        self._task: asyncio.Task[None] | None = None

    async def take_up(self, desired: Desired) -> None:
        """Report exactly on the scope of `desired`."""
        wanted = report_scope(desired)
        if wanted == self._about:
            return
        await self.close()
        self._about = wanted
        if wanted is not None:
            self._task = asyncio.create_task(self._report(wanted))

    async def close(self) -> None:
        """Stop reporting; the node's settings do not change."""
        task, self._task, self._about = self._task, None, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _report(self, wanted: ArpReportScope) -> None:
        try:
            await ArpReporter(wanted, self._context.clock, self._context.emit).run()
        except OSError as error:
            event(_log, logging.ERROR, "cannot manage this node's ARP", error=error)
