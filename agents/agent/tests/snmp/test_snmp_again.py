"""The walk cache is used only while the device is unchanged: changed tables are found by the next walk,
numbers that grow by an octet by the next poll."""

import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from backstay_agent.collectors.snmp.inventory import Discovery
from backstay_agent.collectors.snmp.table_readings import TableReadings
from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import Oid, PollLimits, SnmpError, SnmpTimeoutError, WalkTimeLimitError
from backstay_agent.parsers import ifmib
from backstay_testing.snmp_responder import Asked, Content, Table, number, reply, serving, text
from backstay_wire import SnmpSource, SnmpV2c

pytestmark = pytest.mark.anyio
NAMES, BEHIND = ifmib.IF_DESCR, (*ifmib.IF_DESCR[:-1], ifmib.IF_DESCR[-1] + 1)


@dataclass
class Device:
    """Rows of names followed by a counter; records the requests."""

    table: Table
    asked: list[Asked] = field(default_factory=list)
    silent: bool = False
    biggest: int = 1_000
    answer_interval_s: float = 0.0
    """What is asked sooner than this after an answer is lost."""
    answered_s: float = 0.0

    def __call__(self, asked: Asked) -> Iterable[bytes]:
        self.asked.append(asked)
        now = time.monotonic()
        if self.silent or now < self.answered_s + self.answer_interval_s:
            return []
        self.answered_s = now
        if asked.second * len(asked.names) > self.biggest:
            return [reply(asked, [], status=1)]
        return [self.table.answer(asked)]

    def kinds(self) -> list[int]:
        found = [asked.kind for asked in self.asked]
        self.asked.clear()
        return found


def rows(count: int) -> dict[Oid, Content]:
    names: dict[Oid, Content] = {(*NAMES, index): text(f"port {index}") for index in range(1, count + 1)}
    return names | {(*BEHIND, 1): number(100, ber.COUNTER)}


@asynccontextmanager
async def device(
    objects: dict[Oid, Content], limits: PollLimits | None = None
) -> AsyncIterator[tuple[Device, SnmpSession]]:
    reported = Device(Table(objects))
    async with serving(reported) as port:
        source = SnmpSource(
            device="d",
            interval_s=1,
            address="127.0.0.1",
            port=port,
            timeout_s=0.3,
            retries=2,
            access=SnmpV2c(community="public"),
        )
        session = open_session(source, limits or PollLimits())
        try:
            yield reported, session
        finally:
            session.close()


async def walked(session: SnmpSession) -> list[str]:
    return [bytes(name).decode() for name in (await session.walk([NAMES]))[NAMES].values()]


async def test_unchanged_table_is_the_same_object() -> None:
    async with device(rows(200)) as (reported, session):
        first = await session.walk([NAMES])
        requests = reported.kinds()
        assert len(first[NAMES]) == 200
        assert await session.walk([NAMES]) is first
        assert reported.kinds() == requests


@pytest.mark.parametrize("value", [101, 2**31])
async def test_changes_after_the_table_are_ignored(value: int) -> None:
    async with device(rows(90)) as (reported, session):
        first = await session.walk([NAMES])
        reported.table.objects[(*BEHIND, 1)] = number(value, ber.COUNTER)
        assert await session.walk([NAMES]) is first


@pytest.mark.parametrize("index", [1, 41, 90])
@pytest.mark.parametrize("name", ["PORT 1!", "of another length"])
async def test_changed_row_is_found_by_the_next_walk(index: int, name: str) -> None:
    async with device(rows(90)) as (reported, session):
        before = await walked(session)
        reported.table.objects[(*NAMES, index)] = text(name)
        reported.kinds()
        after = await walked(session)
        assert after[index - 1] == name
        assert [n for n in after if n != name] == [n for n in before if n != f"port {index}"]
        assert len(reported.kinds()) == 3  # the cached responses served the walk


@pytest.mark.parametrize("count", [0, 1, 39, 40, 41, 89, 91, 130])
async def test_added_or_removed_rows_are_found_by_the_next_walk(count: int) -> None:
    async with device(rows(90)) as (reported, session):
        await session.walk([NAMES])
        reported.table = Table(rows(count))
        assert await walked(session) == [f"port {index}" for index in range(1, count + 1)]
        assert await walked(session) == [f"port {index}" for index in range(1, count + 1)]


async def test_replaced_row_is_found_by_the_next_walk() -> None:
    async with device(rows(90)) as (reported, session):
        await session.walk([NAMES])
        objects = rows(90)
        objects[(*NAMES, 99)] = objects.pop((*NAMES, 90))
        reported.table = Table(objects)
        assert (99,) in (await session.walk([NAMES]))[NAMES]


async def test_requests_shrink_if_responses_are_too_big() -> None:
    async with device(rows(90)) as (reported, session):
        first = await session.walk([NAMES])
        reported.biggest = 15
        assert await session.walk([NAMES]) == first


async def test_cache_is_not_used_after_a_failed_walk() -> None:
    async with device(rows(90)) as (reported, session):
        await session.walk([NAMES])
        reported.silent = True
        with pytest.raises(SnmpTimeoutError):
            await session.walk([NAMES])
        reported.silent = False
        reported.kinds()
        assert len(await walked(session)) == 90
        assert reported.asked[0].names[0] == NAMES


async def test_cached_walk_has_the_same_time_limit() -> None:
    """The device answers the first walk at once, and the second too slowly: it would take 9 s."""
    limits = PollLimits()
    async with device(rows(1_500), limits) as (reported, session):
        await session.walk([NAMES])
        reported.answer_interval_s = 0.25
        object.__setattr__(limits, "walk_s", 0.5)
        with pytest.raises(SnmpError, match=r"not over after 0\.5 s"):
            await session.walk([NAMES])


async def test_first_walk_of_a_slow_device_is_continued_and_not_lost() -> None:
    """Each of 8 requests is lost once, so the walk takes eight timeouts of 0.3 s."""
    async with device(rows(300), PollLimits(walk_s=0.7)) as (reported, session):
        reported.answer_interval_s = 0.02
        limits_hit = 0
        found = None
        while found is None:
            try:
                found = await session.walk([NAMES])
            except WalkTimeLimitError:
                limits_hit += 1
                assert limits_hit < 20
        assert len(found[NAMES]) == 300
        assert limits_hit >= 2
        assert sum(asked.names[0] == NAMES for asked in reported.asked) == 1


async def test_numbers_of_any_length_are_decoded_in_every_poll() -> None:
    oids = tuple((*BEHIND, index) for index in range(1, 151))
    more = tuple((*NAMES, index) for index in range(1, 4))
    async with device(rows(3)) as (reported, session):
        for value in (0, 127, 128, 255, 2**16, 2**31, 2**32 - 1, 2**63, 2**64 - 1, 5):
            reported.table.objects |= {oid: number(value, ber.COUNTER64) for oid in oids}
            reported.table.objects[oids[77]] = number(9, ber.COUNTER64)
            numbers, names = await session.poll(oids, more)
            assert [numbers[oid] for oid in oids] == [value] * 77 + [9] + [value] * 72
            assert not names


async def test_removed_and_restored_object_is_detected_at_once() -> None:
    oids = tuple((*BEHIND, index) for index in range(1, 151))
    objects = rows(3) | {oid: number(7, ber.COUNTER64) for oid in oids}
    async with device(objects) as (reported, session):
        assert len((await session.poll(oids))[0]) == 150
        del reported.table.objects[oids[100]]
        (readings,) = await session.poll(oids)
        assert oids[100] not in readings
        assert len(readings) == 149
        reported.table.objects[oids[100]] = number(8, ber.COUNTER64)
        assert (await session.poll(oids))[0][oids[100]] == 8


async def test_discovery_is_stable_until_something_changes() -> None:
    objects: dict[Oid, Content] = {
        ifmib.SYS_NAME: text("sw"),
        **{(*ifmib.IF_DESCR, port): text(f"p{port}") for port in (1, 2, 3)},
        **{(*ifmib.IF_TYPE, port): number(6) for port in (1, 2, 3)},
        **{(*ifmib.IF_HC_IN_OCTETS, port): number(5, ber.COUNTER64) for port in (1, 3)},
    }
    async with device(objects) as (reported, session):
        discovery = Discovery(session, HostClock(), TableReadings(HostClock()))
        first = await discovery.discover(timedelta())
        assert [port.has_64_bit for port in first.ports] == [True, False, True]
        reported.table.objects[(*ifmib.IF_HC_IN_OCTETS, 1)] = number(2**40, ber.COUNTER64)
        assert (await discovery.discover(timedelta())).ports is first.ports
        reported.table.objects[(*ifmib.IF_HC_IN_OCTETS, 2)] = number(1, ber.COUNTER64)
        assert all(port.has_64_bit for port in (await discovery.discover(timedelta())).ports)
        reported.table = Table(reported.table.objects | {(*ifmib.IF_ALIAS, 2): text("to the roof")})
        assert (await discovery.discover(timedelta())).ports[1].state.alias == "to the roof"
        assert message.BULK in reported.kinds()
