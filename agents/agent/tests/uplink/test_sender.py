"""From the spool to a real HTTP backend, with every kind of failure."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from backstay_agent.config import StateDir
from backstay_agent.host.clock import Clock, HostClock
from backstay_agent.uplink.backoff import Backoff
from backstay_agent.uplink.client import BackendClient, Newer
from backstay_agent.uplink.errors import RefusedError, UnauthorisedError, UnavailableError
from backstay_agent.uplink.identity import load_identity, load_or_make_key
from backstay_agent.uplink.sender import Pace, Sender
from backstay_agent.uplink.session import UplinkSession, enrol
from backstay_agent.uplink.spool import Outbox, Spool
from backstay_testing.sink import Sink
from backstay_wire import MAX_REPORTS, CollectorOutcome, CollectorReport, Desired

pytestmark = pytest.mark.anyio


class Uplink:
    """An enrolled sender with its spool and outbox."""

    def __init__(self, folder: Path, sink: Sink, clock: Clock | None = None) -> None:
        self.clock = clock or HostClock()
        self.state = StateDir(folder)
        self.sink = sink
        self.generations: list[int] = []
        self.spool = Spool(self.state.spool, 8 * 1024 * 1024)
        self.outbox = Outbox(self.spool, uuid4())

    async def enrol(self, answer_s: float = 10.0) -> None:
        client = BackendClient(self.sink.url, self.clock, answer_s=answer_s)
        key = load_or_make_key(self.state)
        identity = await enrol(client, key, self.state, self.sink.url, self.sink.token, patient=False)
        self.session = UplinkSession(client, identity, key, self.state, self.clock)
        self.sender = Sender(self.spool, self.session, self.clock, self.generations.append)
        self.outbox.on_report = self.sender.on_report

    def report(
        self,
        count: int = 1,
        *,
        urgent: bool = False,
        can_wait: bool = False,
        device: str = "node",
        detail: str = "",
    ) -> None:
        for _ in range(count):
            self.outbox(
                lambda boot, seq: CollectorReport(
                    boot=boot,
                    seq=seq,
                    device=device,
                    at=time.time_ns(),
                    collector="test",
                    outcome=CollectorOutcome.OK,
                    detail=detail,
                    duration_ms=1,
                ),
                urgent=urgent,
                can_wait=can_wait,
            )

    def sequence(self) -> list[int]:
        """Numbers of the stored reports in the order of arrival."""
        return [report.seq for report in self.sink.reports()]


@pytest.fixture
def sink() -> Iterator[Sink]:
    started = Sink(desired=Desired(generation=7, site="s", node="node", sources=[], paths=[])).start()
    yield started
    started.stop()


@pytest.fixture
async def uplink(tmp_path: Path, sink: Sink) -> AsyncIterator[Uplink]:
    made = Uplink(tmp_path / "state", sink)
    await made.enrol()
    task = asyncio.create_task(made.sender.run())
    yield made
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    await made.session.client.close()
    made.spool.close()


async def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        await asyncio.sleep(0.005)


async def test_report_is_sent_at_once_and_removed_from_the_spool(uplink: Uplink, sink: Sink) -> None:
    uplink.report()
    await until(lambda: uplink.spool.waiting == 0 and len(sink.stored) == 1)
    delays = []
    for number in range(2, 7):
        made = time.time_ns()
        uplink.report()
        await until(lambda count=number: len(sink.stored) == count)  # type: ignore[misc]
        delays.append((list(sink.stored.values())[-1].arrived_ns - made) / 1e6)
    assert sorted(delays)[2] < 100
    assert uplink.generations[-1] == 7


async def test_simultaneous_reports_share_one_request(uplink: Uplink, sink: Sink) -> None:
    uplink.report(40)
    await until(lambda: len(sink.stored) == 40)
    assert sink.requests["reports"] == 1


async def test_lost_acknowledgement_causes_a_resend_but_one_stored_report(uplink: Uplink, sink: Sink) -> None:
    sink.faults.lose_acks = 3
    uplink.report(20)
    await until(lambda: uplink.spool.waiting == 0)
    assert sorted(uplink.sequence()) == list(range(1, 21))
    assert sink.duplicates == 60
    assert uplink.sender.delivery.rejected == 0
    assert uplink.spool.dropped == 0


async def test_outage_loses_nothing_and_the_newest_are_sent_first(uplink: Uplink, sink: Sink) -> None:
    sink.faults.status = 503
    uplink.report(1500)
    await until(lambda: "503" in uplink.sender.delivery.trouble)
    sink.faults.status = None
    await until(lambda: uplink.spool.waiting == 0)
    arrived = uplink.sequence()
    assert sorted(arrived) == list(range(1, 1501))
    assert set(range(1245, 1501)) <= set(arrived[:512])
    assert uplink.sender.delivery.trouble == ""


async def test_retry_after_is_honoured(uplink: Uplink, sink: Sink) -> None:
    sink.faults.status, sink.faults.retry_after = 429, "1"
    uplink.report()
    await until(lambda: sink.requests["reports"] == 1)
    sink.faults.status = None
    reported = time.monotonic()
    await until(lambda: uplink.spool.waiting == 0)
    assert time.monotonic() - reported > 0.9


async def test_urgent_report_bypasses_the_backoff(uplink: Uplink, sink: Sink) -> None:
    sink.faults.status, sink.faults.retry_after = 503, "30"
    uplink.report(5)
    await until(lambda: uplink.sender.delivery.trouble != "")
    sink.faults.status = None
    uplink.report(urgent=True)
    await until(lambda: uplink.sequence() == [6], seconds=2)


async def after_a_request(uplink: Uplink, patience_s: float = 60) -> None:
    """A report has just been sent: what can wait does, for so long."""
    uplink.sender.patience_s = patience_s
    uplink.report()
    await until(lambda: uplink.spool.waiting == 0)


async def test_report_that_can_wait_leaves_with_the_next_that_cannot(uplink: Uplink, sink: Sink) -> None:
    await after_a_request(uplink)
    uplink.report(3, can_wait=True)
    await asyncio.sleep(0.2)
    assert (uplink.spool.waiting, sink.requests["reports"]) == (3, 1)
    uplink.report()
    await until(lambda: uplink.sequence() == [1, 2, 3, 4, 5])
    assert sink.requests["reports"] == 2


async def test_waiting_reports_leave_when_patience_is_over_or_many_wait(uplink: Uplink, sink: Sink) -> None:
    made = time.monotonic()
    await after_a_request(uplink, 0.5)
    uplink.report(can_wait=True)
    await until(lambda: uplink.sequence() == [1, 2])
    assert time.monotonic() - made >= 0.5
    uplink.sender.patience_s = 60
    uplink.report(100, can_wait=True)
    await until(lambda: len(sink.stored) == 102)
    uplink.report(can_wait=True, detail="x" * 1000)
    await asyncio.sleep(0.2)
    assert uplink.spool.waiting == 1, "and the next ones wait again"


async def test_urgent_report_takes_along_what_waits(uplink: Uplink, sink: Sink) -> None:
    await after_a_request(uplink)
    uplink.report(2, can_wait=True)
    uplink.report(urgent=True)
    await until(lambda: uplink.sequence() == [1, 2, 3, 4])
    assert sink.requests["reports"] == 2
    uplink.report(can_wait=True)
    await until(lambda: len(sink.stored) == 5)


async def test_urgent_report_that_fails_is_sent_with_the_others(uplink: Uplink, sink: Sink) -> None:
    await after_a_request(uplink)
    sink.faults.lose_acks = 1
    uplink.report(2, can_wait=True)
    uplink.report(urgent=True)
    await until(lambda: uplink.spool.waiting == 0)
    assert uplink.sequence() == [1, 2, 3, 4]
    assert sink.duplicates == 3


async def test_reports_that_waited_when_the_agent_died_are_sent_after_its_restart(
    tmp_path: Path, sink: Sink
) -> None:
    made = Uplink(tmp_path / "state", sink)
    await made.enrol()
    made.sender.patience_s = 60
    made.report(3, can_wait=True)
    spool = Spool(made.state.spool, 8 * 1024 * 1024)
    again = Sender(spool, made.session, made.clock, made.generations.append)
    task = asyncio.create_task(again.run())
    await until(lambda: spool.waiting == 0)
    assert made.sequence() == [1, 2, 3]
    task.cancel()
    await made.session.client.close()


async def test_oversized_batch_is_halved(uplink: Uplink, sink: Sink) -> None:
    sink.faults.most_octets = 3000
    for number in range(400):
        uplink.report(detail=f"{number * 7919 % 10007}" * 4)
    await until(lambda: uplink.spool.waiting == 0, seconds=20)
    assert sorted(uplink.sequence()) == list(range(1, 401))
    assert uplink.sender.delivery.rejected == 0


async def test_single_oversized_report_is_dropped_and_counted(uplink: Uplink, sink: Sink) -> None:
    sink.faults.most_octets = 10
    uplink.report(2)
    await until(lambda: uplink.spool.waiting == 0)
    assert uplink.sender.delivery.rejected == 2


async def test_a_foreign_device_is_rejected_once_and_the_others_are_stored(
    uplink: Uplink, sink: Sink
) -> None:
    sink.foreign_devices = {"stranger"}
    uplink.report(3)
    uplink.report(device="stranger")
    uplink.report(3)
    await until(lambda: uplink.spool.waiting == 0)
    assert sorted(uplink.sequence()) == [1, 2, 3, 5, 6, 7]
    assert uplink.sender.delivery.rejected == 1


async def test_wrong_backend_address_loses_no_reports(uplink: Uplink, sink: Sink) -> None:
    sink.faults.status = 404
    uplink.report(10)
    await until(lambda: "404" in uplink.sender.delivery.trouble)
    assert uplink.spool.waiting == 10


async def test_revoked_credential_is_renewed_with_a_signature(uplink: Uplink, sink: Sink) -> None:
    before = uplink.session.identity.credential
    sink.revoke_credentials()
    uplink.report(2)
    await until(lambda: len(sink.stored) == 2)
    assert sink.requests["credential"] == 1
    assert uplink.session.identity.credential != before
    stored = load_identity(uplink.state)
    assert stored is not None
    assert stored.credential == uplink.session.identity.credential


class MovedClock(HostClock):
    """The host's clock, shifted by some seconds."""

    def __init__(self, by_s: float = 0.0) -> None:
        self.by_s = by_s

    def wall_ns(self) -> int:
        return super().wall_ns() + round(self.by_s * 1e9)


async def test_a_credential_is_renewed_at_two_thirds_of_its_life(tmp_path: Path, sink: Sink) -> None:
    sink.credential_life_s = 3600.0
    clock = MovedClock()
    made = Uplink(tmp_path / "state", sink, clock)
    await made.enrol()
    first = made.session.identity.credential
    same = []
    for minutes in (39, 41):
        clock.by_s = minutes * 60
        await made.session.call(made.session.client.desired)
        same.append(made.session.identity.credential == first)
        # The response contained the backend's time, which would correct the clock again.
        made.session.client.server_offset_s = 0.0
    assert same == [True, False]
    await made.session.client.close()


async def test_agent_with_a_clock_off_by_a_year_gets_a_credential(tmp_path: Path, sink: Sink) -> None:
    made = Uplink(tmp_path / "state", sink)
    await made.enrol()

    late = MovedClock(-365 * 86_400)
    client = BackendClient(sink.url, late)
    session = UplinkSession(client, made.session.identity, load_or_make_key(made.state), made.state, late)
    sink.revoke_credentials()
    assert (await session.call(client.desired)).generation == 7
    await client.close()
    await made.session.client.close()


async def test_token_can_be_used_once(tmp_path: Path, uplink: Uplink, sink: Sink) -> None:
    client = BackendClient(sink.url, HostClock())
    state = StateDir(tmp_path / "second")
    with pytest.raises(UnauthorisedError):
        await enrol(client, load_or_make_key(state), state, sink.url, sink.token, patient=False)
    assert load_identity(state) is None
    await client.close()


async def test_missing_backend_is_unavailable_and_unknown_path_is_refused(sink: Sink, uplink: Uplink) -> None:
    nowhere = BackendClient("http://127.0.0.1:1", HostClock())
    with pytest.raises(UnavailableError):
        await nowhere.desired()
    await nowhere.close()
    sink.faults.status = 418
    with pytest.raises(RefusedError) as refused:
        await uplink.session.client.report(b"")
    assert refused.value.status == 418


def test_batch_size_adapts_to_the_backends_speed() -> None:
    pace = Pace()
    pace.answered(pace.most, 9.0)
    assert pace.most == MAX_REPORTS // 2
    pace.answered(pace.most, 2.0)
    assert pace.most == MAX_REPORTS // 2
    pace.answered(3, 4.0)
    assert pace.most == 1
    pace.too_much(1)
    assert pace.most == 1
    for _ in range(20):
        pace.answered(1, 0.1)
    assert pace.most == MAX_REPORTS


async def test_timed_out_batch_is_resent_in_halves(tmp_path: Path, sink: Sink) -> None:
    slow = Uplink(tmp_path / "slow", sink)
    await slow.enrol(answer_s=0.3)
    sink.faults.seconds_a_report = 0.05
    slow.report(10)
    task = asyncio.create_task(slow.sender.run())
    await until(lambda: slow.spool.waiting == 0)
    task.cancel()
    assert sorted(slow.sequence()) == list(range(1, 11))
    assert 10 <= sink.duplicates < 30
    await slow.session.client.close()


def test_backoff_doubles_with_jitter_up_to_30_s() -> None:
    shortest, longest = Backoff(lambda: 0.0), Backoff(lambda: 0.999)
    low, high = [shortest.next() for _ in range(12)], [longest.next() for _ in range(12)]
    assert low[:4] == [0.25, 0.5, 1.0, 2.0]
    assert low[-1] == 15.0
    assert 29 < high[-1] <= 30
    assert Backoff(lambda: 0.0).next(reported=60) == 60
    shortest.reset()
    assert shortest.next() == 0.25


async def test_known_desired_state_is_reported_as_unchanged(tmp_path: Path, sink: Sink) -> None:
    made = Uplink(tmp_path / "state", sink)
    await made.enrol()
    client = made.session.client
    assert await client.newer(7) == Newer(None, held=False)
    assert await client.newer(6) == Newer(sink.desired, held=False)
    assert await client.newer(7, hold_s=5) == Newer(None, held=False), "a backend that does not hold requests"
    sink.revoke_credentials()
    with pytest.raises(UnauthorisedError):
        await client.newer(7)
    await client.close()


async def test_reach_reply_contains_the_agent_id(tmp_path: Path, sink: Sink) -> None:
    made = Uplink(tmp_path / "state", sink)
    await made.enrol()
    client = made.session.client
    assert (await client.reach()).agent == made.session.identity.agent
    sink.revoke_credentials()
    with pytest.raises(UnauthorisedError):
        await client.reach()
    assert (await made.session.call(client.reach)).agent == made.session.identity.agent
    await client.close()
