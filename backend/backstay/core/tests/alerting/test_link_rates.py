"""Rates of all links as arrays equal those of `link_loads`, one by one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.alerting.link_rates import (
    HighLoad,
    LinkTable,
    LoadSummary,
    NewestSamples,
    link_rates,
    load_summary,
)
from backstay.core.model.load import Load, PortRates, link_loads

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SECONDS = 2.0
HIGH = 0.8
USABLE = (0, 53_800_000, 1_000_000_000)
value = st.one_of(st.none(), st.integers(0, 10**9))
sample = st.one_of(
    st.none(), st.tuples(st.sampled_from([0.0, 1.0, 4.9, 5.1, 60.0]), value, value, value, value)
)
"""Age, and octets in and out, on average and in the busiest second; None: no sample."""


Sampled = tuple[float, int | None, int | None, int | None, int | None] | None


def rates_of(row: Sampled) -> PortRates | None:
    if row is None:
        return None
    age, *octets = row
    means = [None if item is None else round(item * 8 / SECONDS) for item in octets[:2]]
    peaks = [None if item is None else item * 8 for item in octets[2:]]
    return PortRates(NOW - timedelta(seconds=age), *means, *peaks)


@given(st.lists(st.tuples(sample, sample, st.sampled_from(USABLE), st.booleans()), min_size=1, max_size=20))
def test_arrays_agree_with_single_links(links: list[tuple[Sampled, Sampled, int, bool]]) -> None:
    rows, ports = [], []
    for number, (a, b, _, is_medium) in enumerate(links):
        for port, row in ((2 * number, a), (2 * number + 1, None if is_medium else b)):
            if row is not None:
                ports.append(port)
                rows.append(row)
    named = ("in_octets", "out_octets", "in_peak", "out_peak")
    counters = {
        name: np.array([np.nan if row[1 + at] is None else row[1 + at] for row in rows], np.float64)
        for at, name in enumerate(named)
    }
    at = np.array([(NOW - timedelta(seconds=row[0])).timestamp() for row in rows], np.float64)
    samples = NewestSamples(np.array(ports, np.int64), at, np.full(len(rows), SECONDS), counters)
    table = LinkTable(
        np.arange(len(links)),
        2 * np.arange(len(links)),
        np.array([-1 if link[3] else 2 * number + 1 for number, link in enumerate(links)]),
        np.array([link[2] for link in links], np.float64),
    )
    found = link_rates(table, samples, NOW, SECONDS)
    pairs = [
        link_loads(rates_of(a), None if is_medium else rates_of(b), usable, NOW, SECONDS)
        for a, b, usable, is_medium in links
    ]
    for number, expected in enumerate(pairs):
        assert (found.load(0, number), found.load(1, number)) == expected
    assert [*zip(found.loads(0), found.loads(1), strict=True)] == pairs
    assert load_summary(table, found, busiest=3, high=HIGH) == summary_of(pairs)


def summary_of(pairs: list[tuple[Load | None, Load | None]]) -> LoadSummary:
    """The three busiest links and the high loads, link by link."""
    fresh = {
        link: [load.utilisation for load in pair if load is not None and load.fresh]
        for link, pair in enumerate(pairs)
    }
    order = sorted((link for link in fresh if fresh[link]), key=lambda link: (-max(fresh[link]), link))
    high = [
        HighLoad(link, direction, load)
        for link, pair in enumerate(pairs)
        for direction, load in enumerate(pair)
        if load is not None and load.fresh and load.utilisation >= HIGH
    ]
    return LoadSummary(
        busiest=tuple(order[:3]),
        high=tuple(sorted(high, key=lambda item: -item.load.utilisation)),
        measured_at=max((load.at for pair in pairs for load in pair if load is not None), default=None),
        links=len(pairs),
        measured=sum(bool(known) for known in fresh.values()),
    )
