"""Steps from what is to what should be, carried out on a table that behaves as the kernel's does."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from backstay_agent import reconcile
from backstay_agent.reconcile import Operation


@dataclass(frozen=True)
class Row:
    """A route: metric is its key, gateway its content."""

    metric: int
    gateway: str
    rank: int = 255

    @property
    def key(self) -> tuple[object, ...]:
        return (self.metric,)


ROWS = st.lists(
    st.builds(Row, st.integers(1, 3), st.sampled_from("abc"), st.sampled_from([2, 255])),
    max_size=5,
    unique=True,
)


def carry_out(table: list[Row], step: Operation[Row]) -> list[Row]:
    """NLM_F_REPLACE takes the place of the first row with the key."""
    if step.verb == "delete":
        return [row for row in table if row != step.row]
    if step.verb == "replace":
        first = next(row for row in table if row.key == step.row.key)
        return [step.row if row is first else row for row in table]
    return [*table, step.row]


@given(ROWS, ROWS)
def test_the_steps_lead_there_and_a_second_time_there_is_nothing_to_do(
    current: list[Row], desired: list[Row]
) -> None:
    table = list(current)
    for step in reconcile.rows(current, desired):
        table = carry_out(table, step)
    assert sorted(table, key=str) == sorted(desired, key=str)
    assert reconcile.rows(table, desired) == []


@given(ROWS, ROWS)
def test_nothing_is_deleted_before_all_is_added_and_what_is_leant_on_comes_first(
    current: list[Row], desired: list[Row]
) -> None:
    steps = reconcile.rows(current, desired)
    verbs = [step.verb for step in steps]
    assert "delete" not in verbs[: sum(verb != "delete" for verb in verbs)]
    added = [step.row.rank for step in steps if step.verb != "delete"]
    assert added == sorted(added)


@given(ROWS.filter(bool), ROWS.filter(bool))
def test_there_is_never_a_moment_without_a_route(current: list[Row], desired: list[Row]) -> None:
    table = list(current)
    for step in reconcile.rows(current, desired):
        table = carry_out(table, step)
        assert table


@given(st.lists(st.integers(0, 5), unique=True), st.lists(st.integers(0, 5), unique=True))
def test_things_that_are_there_or_not(current: list[int], desired: list[int]) -> None:
    found = set(current)
    for step in reconcile.items(current, desired):
        found = found - {step.row} if step.verb == "delete" else found | {step.row}
    assert found == set(desired)
