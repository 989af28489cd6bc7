"""The crossbar: one connection per output; camping requests alternate, others are rejected."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from backstay_lab.hippi.crossbar import Answer, Crossbar
from backstay_lab.hippi.ifield import ANY_OF_LIST, FIRST_OF_LIST, SOURCE_ROUTE, IField, parse

TO_0 = IField(0x10)
IMPATIENT = IField(0x10, camp_on=False)


@dataclass
class Asker:
    """Records notifications with their times."""

    answers: list[tuple[str, int]] = field(default_factory=list)

    def granted(self, output: int, now: int) -> None:
        self.answers.append((f"granted {output}", now))

    def refused(self, now: int) -> None:
        self.answers.append(("refused", now))


@pytest.fixture
def crossbar() -> Crossbar:
    return Crossbar("ps32", 8, {0x10: (0,), 0x20: (5, 6)})


def test_free_output_is_granted_at_once(crossbar: Crossbar) -> None:
    asker = Asker()
    assert crossbar.request(1, TO_0, asker, 7) is Answer.GRANTED
    assert asker.answers == [("granted 0", 7)]
    assert crossbar.speaking_to(1) == 0


def test_busy_output_rejects_requests_without_camp_on(crossbar: Crossbar) -> None:
    crossbar.request(1, TO_0, Asker(), 0)
    late = Asker()
    assert crossbar.request(2, IMPATIENT, late, 5) is Answer.REJECTED
    assert late.answers == []
    assert (crossbar.counters[2].rejects, crossbar.counters[2].campons) == (1, 0)


def test_camping_request_gets_the_released_output_and_its_delay_is_counted(crossbar: Crossbar) -> None:
    camper = Asker()
    crossbar.request(1, TO_0, Asker(), 0)
    assert crossbar.request(2, TO_0, camper, 100) is Answer.CAMPED
    crossbar.release(1, 350)
    assert camper.answers == [("granted 0", 350)]
    assert (crossbar.counters[2].campons, crossbar.counters[2].campon_ns) == (1, 250)


def test_camping_requests_alternate_without_starvation(crossbar: Crossbar) -> None:
    order: list[int] = []

    @dataclass
    class Greedy:
        port: int

        def granted(self, output: int, now: int) -> None:
            order.append(self.port)

        def refused(self, now: int) -> None:
            raise AssertionError("nobody is refused")

    askers = {port: Greedy(port) for port in (1, 2, 6)}
    for port in (6, 1, 2):
        crossbar.request(port, TO_0, askers[port], 0)
    for now in range(1, 9):
        holder = order[-1]
        crossbar.release(holder, now)
        crossbar.request(holder, TO_0, askers[holder], now)
    assert order == [6, 1, 2, 6, 1, 2, 6, 1, 2]


def test_logical_address_selects_a_free_output(crossbar: Crossbar) -> None:
    first, second, third = Asker(), Asker(), Asker()
    crossbar.request(1, IField(0x20), first, 0)
    crossbar.request(2, IField(0x20), second, 0)
    assert crossbar.request(3, IField(0x20), third, 0) is Answer.CAMPED
    assert (first.answers, second.answers) == ([("granted 5", 0)], [("granted 6", 0)])
    crossbar.release(2, 9)
    assert third.answers == [("granted 6", 9)]


def test_path_selection_may_require_the_first_output_or_name_one(crossbar: Crossbar) -> None:
    assert crossbar.outputs(IField(0x20, selection=ANY_OF_LIST)) == (5, 6)
    assert crossbar.outputs(IField(0x20, selection=FIRST_OF_LIST)) == (5,)
    assert crossbar.outputs(IField(0b00011_00110, selection=SOURCE_ROUTE)) == (6,)
    assert crossbar.outputs(IField(0b00011_00110, selection=SOURCE_ROUTE).next_hop()) == (3,)
    assert crossbar.outputs(IField(0x999)) == ()


def test_request_to_an_unknown_address_is_rejected(crossbar: Crossbar) -> None:
    assert crossbar.request(1, IField(0x999), Asker(), 0) is Answer.REJECTED
    assert crossbar.counters[1].last_ifield == IField(0x999).value


def test_disabling_a_port_refuses_waiting_requests_and_keeps_its_connection(
    crossbar: Crossbar,
) -> None:
    camper = Asker()
    crossbar.request(1, TO_0, Asker(), 0)
    crossbar.request(2, TO_0, camper, 0)
    crossbar.enable(0, False, 40)
    assert camper.answers == [("refused", 40)]
    assert crossbar.request(3, TO_0, Asker(), 50) is Answer.REJECTED
    crossbar.release(1, 60)
    crossbar.enable(0, True, 70)
    assert crossbar.request(3, TO_0, Asker(), 80) is Answer.GRANTED


def test_i_field_survives_encoding_and_invalid_ones_are_refused() -> None:
    for ifield in (IField(0xFC0, 0x001), IField(0x10, selection=FIRST_OF_LIST, camp_on=False)):
        assert parse(ifield.value) == ifield
    assert IField(0xFC0).value == 0x07000FC0
    with pytest.raises(ValueError, match="no path"):
        parse(2 << 25)
