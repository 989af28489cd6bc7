"""Collector `gated`: its routing table from `gdc dump`: every candidate with its preference."""

import asyncio
from pathlib import Path

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError, ran_with
from backstay_agent.collectors.daemon import DaemonReporter, DaemonView
from backstay_agent.host import boot_files, programs
from backstay_agent.host.clock import Clock
from backstay_agent.host.daemon_control import dump_file
from backstay_agent.parsers import text
from backstay_agent.parsers.routing import gated, gated_conf
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome, Protocol

_ASK_S = 10.0
"""gdc(8) itself waits this long for an answer."""
_DUMP_S = 10.0


class GatedCollector:
    """The gated of one host."""

    name = "gated"
    limit_s = 30.0

    def __init__(
        self,
        *,
        device: str,
        interval_s: float,
        gdc: str,
        dump: Path,
        config: Path,
        clock: Clock,
        emit: ReportSink,
    ) -> None:
        self.device = device
        self.interval_s = interval_s
        self._gdc = gdc
        self._dump = dump
        self._config = config
        self._reporter = DaemonReporter(device=device, daemon="gated", clock=clock, emit=emit)

    async def start(self) -> None:
        """Nothing is kept open."""

    async def stop(self) -> None:
        """Nothing is kept open."""

    async def collect(self) -> Ran:
        """Request a dump and parse it. A gated that does not run is a finding, not a failure."""
        before = dump_file.stamp(self._dump)
        try:
            ended = await programs.run([self._gdc, "dump"], timeout_s=_ASK_S)
            if ended.status != 0:
                return self._gone((ended.err or ended.out).strip())
            found = gated.table(await dump_file.fresh(self._dump, before, _DUMP_S))
        except programs.NoProgramError as error:
            return self._gone(str(error))
        except TimeoutError as error:
            raise NoAnswerError(f"gated did not write {self._dump}") from error
        except (dump_file.NoDumpError, gated.GatedError) as error:
            raise UnusableError(str(error)) from error
        self._reporter.report(
            DaemonView(running=True, protocols=_protocols(found), candidates=found.candidates)
        )
        return await self._compared(found)

    async def _compared(self, found: gated.GatedTable) -> Ran:
        """The run, with what the file and the table disagree about; a host without the file says nothing."""
        ran, where = ran_with(found.unparsed), str(self._config)
        try:
            conf = await asyncio.to_thread(boot_files.read, self._config)
        except OSError as error:
            difference = f"{where}: {error.strerror or error}"
        else:
            difference = "" if conf is None else gated_conf.describe(conf, found.candidates, where)
        detail = ". ".join(part for part in (ran.detail, difference) if part)
        return Ran(ran.outcome, text.text(detail))

    def _gone(self, why: str) -> Ran:
        self._reporter.report(DaemonView())
        return Ran(CollectorOutcome.NO_DATA, f"gated does not run: {why}"[:1024])


def _protocols(found: gated.GatedTable) -> list[Protocol]:
    return [
        Protocol(name=name, proto=name, state="up", info=text.text(f"{selected} of {known} routes active"))
        for name, (selected, known) in gated.protocols(found.candidates).items()
    ]
