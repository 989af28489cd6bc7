"""Rates of caching devices: a simulated device with steady traffic, in simulated time."""

from collections.abc import Sequence

import pytest

from backstay_agent.collectors.snmp.snapshot import Snapshot, SnapshotReader
from backstay_agent.host.snmp.readings import Readings
from backstay_agent.host.snmp.values import Oid
from backstay_testing.clock import ManualClock

pytestmark = pytest.mark.anyio

RATE = 1_000_000
COUNTERS: list[Oid] = [(1, port) for port in range(1, 21)]


class Device:
    """Counters of steady traffic behind a cache of `period_s`, renewed by a timer or on request."""

    def __init__(self, clock: ManualClock, period_s: float = 0.0, *, lazy: bool = False) -> None:
        self._clock = clock
        self._period_ns = round(period_s * 1e9)
        self._lazy = lazy
        self._kept: tuple[int, dict[Oid, int]] | None = None
        self.traffic = True
        self._octets, self._since = 1e9, clock.now_ns
        self.requests = 0

    def truth(self) -> int:
        """Octets transferred so far."""
        if self.traffic:
            self._octets += (self._clock.now_ns - self._since) * RATE / 1e9
        self._since = self._clock.now_ns
        return round(self._octets)

    async def read(self, oids: Sequence[Oid]) -> Readings:
        self.requests += 1
        self._clock.advance(0.002)
        values = self._values()
        self._clock.advance(0.002)
        return Readings.of({oid: values[oid] for oid in oids})

    def _values(self) -> dict[Oid, int]:
        if not self._period_ns:
            return self._fresh(self._clock.now_ns)
        now = self._clock.now_ns
        if self._lazy:
            if self._kept is None or now - self._kept[0] >= self._period_ns:
                self._kept = (now, self._fresh(now))
            return self._kept[1]
        renewed = now - now % self._period_ns
        if self._kept is None or self._kept[0] != renewed:
            self._kept = (renewed, self._fresh(renewed))
        return self._kept[1]

    def _fresh(self, at_ns: int) -> dict[Oid, int]:
        octets = self.truth() - (RATE * (self._clock.now_ns - at_ns) // 10**9 if self.traffic else 0)
        return {oid: octets * oid[1] // 20 for oid in COUNTERS}


async def poll(
    reader: SnapshotReader, clock: ManualClock, interval_s: float, count: int
) -> list[tuple[float, float]]:
    """(octets a second, seconds) of each new snapshot over `count` polls on a fixed grid."""
    found: list[tuple[float, float]] = []
    last: Snapshot | None = None
    start = clock.now_ns
    for number in range(count):
        deadline = start + round(number * interval_s * 1e9)
        if deadline < clock.now_ns:
            continue
        clock.now_ns = deadline
        snapshot = await reader.take(COUNTERS)
        if last is not None and snapshot.at_ns > last.at_ns:
            elapsed = (snapshot.at_ns - last.at_ns) / 1e9
            grown = snapshot.values[COUNTERS[-1]] - last.values[COUNTERS[-1]]
            found.append((grown / elapsed, elapsed))
            last = snapshot
        elif last is None:
            last = snapshot
    return found


@pytest.mark.parametrize("lazy", [False, True], ids=["renewed by a timer", "renewed when asked for"])
@pytest.mark.parametrize("interval_s", [1.0, 2.0, 5.0, 7.3])
@pytest.mark.parametrize("period_s", [1.0, 3.0])
async def test_every_rate_of_a_caching_device_is_correct(
    clock: ManualClock, period_s: float, interval_s: float, lazy: bool
) -> None:
    device = Device(clock, period_s, lazy=lazy)
    found = await poll(SnapshotReader(device.read, clock, clock.sleep), clock, interval_s, 60)
    assert len(found) >= 12
    for rate, _ in found:
        assert rate == pytest.approx(RATE, rel=0.05)
    seconds = sum(elapsed for _, elapsed in found)
    assert sum(rate * elapsed for rate, elapsed in found) / seconds == pytest.approx(RATE, rel=0.005)


async def test_device_without_cache_costs_one_request_per_poll(clock: ManualClock) -> None:
    device = Device(clock)
    reader = SnapshotReader(device.read, clock, clock.sleep)
    found = await poll(reader, clock, 2.0, 30)
    assert device.requests == 30 + 2  # and two more to detect that there is no cache
    assert all(rate == pytest.approx(RATE, rel=0.002) for rate, _ in found)


async def test_caching_device_costs_few_small_requests_once_its_period_is_known(clock: ManualClock) -> None:
    device = Device(clock, 3.0)
    reader = SnapshotReader(device.read, clock, clock.sleep)
    await poll(reader, clock, 2.0, 20)
    before, started = device.requests, clock.now_ns
    await poll(reader, clock, 2.0, 40)
    assert (device.requests - before) / ((clock.now_ns - started) / 1e9) < 4
    assert reader.period_ns == pytest.approx(3e9, rel=0.01)


async def test_idle_device_has_zero_rate_and_gets_few_requests(clock: ManualClock) -> None:
    device = Device(clock, 3.0)
    device.traffic = False
    found = await poll(SnapshotReader(device.read, clock, clock.sleep), clock, 5.0, 40)
    assert len(found) > 30
    assert all(rate == 0 for rate, _ in found)
    assert device.requests < 40 * 3 + 60


async def test_traffic_after_an_idle_period_is_not_overestimated(clock: ManualClock) -> None:
    device = Device(clock, 3.0)
    reader = SnapshotReader(device.read, clock, clock.sleep)
    await poll(reader, clock, 2.0, 15)
    device.truth()
    device.traffic = False
    await poll(reader, clock, 2.0, 15)
    device.truth()
    device.traffic = True
    found = await poll(reader, clock, 2.0, 30)
    assert all(rate <= RATE * 1.05 for rate, _ in found)
    assert found[-1][0] == pytest.approx(RATE, rel=0.05)


class _Stalls:
    """A device that loses every third response once: the retry takes seconds."""

    def __init__(self, clock: ManualClock, device: Device) -> None:
        self._clock, self._device, self._asked = clock, device, 0

    async def read(self, oids: Sequence[Oid]) -> Readings:
        self._asked += 1
        if self._asked > 6 and self._asked % 3 == 0:
            self._clock.advance(2.0)
        return await self._device.read(oids)


async def test_repeated_request_does_not_distort_the_rate(clock: ManualClock) -> None:
    reader = SnapshotReader(_Stalls(clock, Device(clock)).read, clock, clock.sleep)
    rates = [rate for rate, _ in await poll(reader, clock, 5.0, 20)]
    assert len(rates) >= 15
    assert all(rate == pytest.approx(RATE, rel=0.01) for rate in rates)


async def test_slow_readings_are_used_once_their_time_is_precise(clock: ManualClock) -> None:
    device = Device(clock)

    async def read(oids: Sequence[Oid]) -> Readings:
        if device.requests > 3:
            clock.advance(1.0)
        return await device.read(oids)

    reader = SnapshotReader(read, clock, clock.sleep)
    found = await poll(reader, clock, 2.0, 40)
    assert found
    assert all(seconds >= 5.0 for _, seconds in found[2:])
    assert all(rate == pytest.approx(RATE, rel=0.25) for rate, _ in found[2:])
