"""The rate limit of one device's notices: a storm of one alarm hides no other alarm and no clear."""

from collections.abc import Callable, Iterable

from backstay_agent.collectors.notices.counts import Counts
from backstay_agent.collectors.notices.notice_queue import (
    BURST,
    MAX_WAITING,
    PER_SECOND,
    Arrival,
    NoticeQueue,
)
from backstay_agent.schedule import SECOND
from backstay_wire import Notice

MS = SECOND // 1000
GATHER_MS = 250


class Device:
    """One device whose notices arrive one per millisecond and leave every quarter of a second."""

    def __init__(self) -> None:
        self.queue, self.counts = NoticeQueue(0), Counts()
        self.now_ms = 0
        self.sent: list[Notice] = []
        self.left_out = 0

    def send(self, name: str, subject: str) -> None:
        at = self.now_ms * MS

        def render() -> Notice:
            return Notice(at=at, source="trap", name=name, severity="critical", subject=subject, text="x")

        self.queue.put(Arrival((name, subject), render, self.counts), at)
        self.now_ms += 1
        if self.now_ms % GATHER_MS == 0:
            self.take(self.now_ms * MS)

    def take(self, now_ns: int | None) -> None:
        notices, left_out = self.queue.take(now_ns)
        self.sent += notices
        self.left_out += left_out

    def storm(self, seconds: float, subjects: Callable[[int], str] = lambda _: "ga000") -> None:
        for number in range(round(seconds * 1000)):
            self.send("pvc_down", subjects(number))

    def rest(self, seconds: float) -> None:
        """Nothing arrives."""
        for _ in range(round(seconds * 1000 / GATHER_MS)):
            self.now_ms += GATHER_MS
            self.take(self.now_ms * MS)

    def kinds(self) -> Iterable[tuple[str, str]]:
        return [(notice.name, notice.subject) for notice in self.sent]


def test_storm_of_one_alarm_hides_no_other_alarm() -> None:
    device = Device()
    hidden = [("gated_down", ""), ("card_down", "card 2"), ("link_down", "gh010")]
    for kind in hidden:
        device.storm(15)
        device.send(*kind)
    device.storm(15)
    device.rest(1)
    assert [kind for kind in device.kinds() if kind[0] != "pvc_down"] == hidden
    assert device.queue.is_empty
    assert len(device.sent) + device.left_out == 60_003
    assert device.left_out == device.counts.suppressed
    assert device.counts.overflows == 0
    assert len(device.sent) <= BURST + PER_SECOND * 61 + 1


def test_hidden_alarm_is_sent_within_a_second() -> None:
    device = Device()
    device.storm(10, lambda number: f"0/{number % 20}")
    device.send("gated_down", "")
    device.storm(1, lambda number: f"0/{number % 20}")
    assert ("gated_down", "") in device.kinds()


def test_notices_leave_in_order_of_time_and_a_cleared_alarm_ends_cleared() -> None:
    device = Device()
    device.storm(5)
    for name in ("link_down", "link_up", "link_down", "link_up"):
        device.send(name, "gh010")
        device.storm(0.1)
    device.storm(5)
    device.rest(1)
    times = [notice.at for notice in device.sent]
    assert times == sorted(times)
    assert [name for name, subject in device.kinds() if subject == "gh010"][-1] == "link_up"


def test_alarm_that_is_raised_again_ends_raised() -> None:
    device = Device()
    device.storm(5)
    for name in ("link_down", "link_up", "link_down"):
        device.send(name, "gh010")
    device.rest(2)
    assert [name for name, subject in device.kinds() if subject == "gh010"][-1] == "link_down"


def test_more_subjects_than_can_wait_are_counted_as_lost() -> None:
    device = Device()
    device.storm(2, lambda number: f"0/{number}")
    device.take(None)
    assert device.counts.suppressed == 0
    assert device.counts.overflows == device.left_out == 2000 - len(device.sent)
    assert MAX_WAITING + BURST <= len(device.sent) <= MAX_WAITING + BURST + 2 * PER_SECOND
    assert device.sent[-1].subject == "0/1999", "the newest are kept"


def test_device_within_its_rate_is_not_limited() -> None:
    device = Device()
    for number in range(100):
        device.send("pvc_down", "0/32")
        device.rest(0.25)
        assert len(device.sent) == number + 1
    assert device.left_out == 0
