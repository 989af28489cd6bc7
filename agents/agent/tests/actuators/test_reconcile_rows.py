"""Steps from current to desired rows, applied to a table that behaves like the kernel's."""

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
def test_steps_reach_the_desired_rows_and_are_idempotent(current: list[Row], desired: list[Row]) -> None:
    table = list(current)
    for step in reconcile.rows(current, desired):
        table = carry_out(table, step)
    assert sorted(table, key=str) == sorted(desired, key=str)
    assert reconcile.rows(table, desired) == []


@given(ROWS, ROWS)
def test_rows_are_added_in_dependency_order_before_any_deletion(
    current: list[Row], desired: list[Row]
) -> None:
    steps = reconcile.rows(current, desired)
    verbs = [step.verb for step in steps]
    assert "delete" not in verbs[: sum(verb != "delete" for verb in verbs)]
    added = [step.row.rank for step in steps if step.verb != "delete"]
    assert added == sorted(added)


@given(ROWS.filter(bool), ROWS.filter(bool))
def test_some_route_exists_after_every_step(current: list[Row], desired: list[Row]) -> None:
    table = list(current)
    for step in reconcile.rows(current, desired):
        table = carry_out(table, step)
        assert table


@given(st.lists(st.integers(0, 5), unique=True), st.lists(st.integers(0, 5), unique=True))
def test_steps_reach_the_desired_items(current: list[int], desired: list[int]) -> None:
    found = set(current)
    for step in reconcile.items(current, desired):
        found = found - {step.row} if step.verb == "delete" else found | {step.row}
    assert found == set(desired)
