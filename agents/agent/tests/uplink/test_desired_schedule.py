"""The desired state is asked for each minute, and fetched whole at start and every ten minutes."""

from backstay_agent.desired_schedule import DesiredSchedule


def requests(schedule: DesiredSchedule, start: float, end: float) -> list[tuple[float, bool]]:
    """(time, whether everything is fetched) of the regular requests, each answered after a second."""
    made, now = [], start
    while now < end:
        is_whole = schedule.is_whole_due(now)
        if is_whole:
            schedule.fetched_whole(now)
        made.append((now, is_whole))
        now += 1 + schedule.wait_s(now, now + 1)
    return made


def test_first_request_and_every_tenth_fetch_everything() -> None:
    made = requests(DesiredSchedule(60), 1000, 1000 + 1200)
    assert [at for at, _ in made] == [1000 + 60 * number for number in range(20)]
    assert [at for at, is_whole in made if is_whole] == [1000, 1600]


def test_whole_state_stays_due_until_it_is_fetched() -> None:
    schedule = DesiredSchedule(60)
    assert schedule.is_whole_due(5)
    assert schedule.is_whole_due(65)
    schedule.fetched_whole(65)
    assert not schedule.is_whole_due(70)


def test_request_that_took_long_is_followed_at_once() -> None:
    assert DesiredSchedule(60).wait_s(asked=100, now=190) == 0
