"""The desired state is asked for once no reply has named our generation for a minute, and fetched whole at
start and every ten minutes."""

from collections.abc import Sequence

from backstay_agent.desired_schedule import DesiredSchedule


def requests(
    schedule: DesiredSchedule, start: float, end: float, confirmed: Sequence[float] = ()
) -> list[tuple[float, bool]]:
    """(time, whether everything is fetched) of the regular requests, each answered after a second.

    `confirmed`: when a reply to a report named our generation.
    """
    made, now, left = [], start, list(confirmed)
    while now < end:
        if left and left[0] < now:
            schedule.is_current(left.pop(0))
        elif now < schedule.due_s:
            now = min([schedule.due_s, *(at + 0.001 for at in left[:1])])
        else:
            is_whole = schedule.is_whole_due(now)
            if is_whole:
                schedule.fetched_whole(now)
            schedule.is_current(now)
            made.append((now, is_whole))
            now += 1
    return made


def test_first_request_and_every_tenth_fetch_everything() -> None:
    made = requests(DesiredSchedule(60), 1000, 1000 + 1200)
    assert [at for at, _ in made] == [1000 + 60 * number for number in range(20)]
    assert [at for at, is_whole in made if is_whole] == [1000, 1600]


def test_replies_to_reports_that_name_our_generation_replace_the_requests() -> None:
    made = requests(DesiredSchedule(60), 1000, 2200, confirmed=range(1020, 2200, 30))
    assert made == [(1000, True), (1600, True)]


def test_request_follows_a_minute_after_the_last_reply_to_a_report() -> None:
    made = requests(DesiredSchedule(60), 1000, 1200, confirmed=[1030, 1050])
    assert [at for at, _ in made] == [1000, 1110, 1170]


def test_whole_state_stays_due_until_it_is_fetched() -> None:
    schedule = DesiredSchedule(60)
    assert schedule.is_whole_due(5)
    assert schedule.is_whole_due(65)
    schedule.fetched_whole(65)
    assert not schedule.is_whole_due(70)


def test_request_that_took_long_is_followed_at_once() -> None:
    schedule = DesiredSchedule(60)
    schedule.fetched_whole(100)
    assert schedule.due_s < 190


def test_failed_request_is_repeated_after_the_given_time() -> None:
    schedule = DesiredSchedule(60)
    schedule.fetched_whole(100)
    schedule.failed(161, 2)
    assert schedule.due_s == 163
    schedule.failed(800, 60)
    assert schedule.due_s == 860
