"""Who sends to whom on a shared network, from counters alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.planning.whatif.network_matrix import LEAST_BINS, Floats, network_matrix

HOSTS, GATEWAY = 4, 4


def traffic(times: int, seed: int, burst: float = 0.0) -> Floats:
    """(times, from, to), Mb/s: each host sends to its neighbour and the gateway; the first one more."""
    draw = np.random.default_rng(seed)
    bps = np.zeros((times, HOSTS + 1, HOSTS + 1))
    for host in range(HOSTS):
        bps[:, host, (host + 1) % HOSTS] = draw.uniform(3, 12, times)
        bps[:, host, GATEWAY] = draw.uniform(1, 3, times)
        bps[:, GATEWAY, host] = draw.uniform(1, 3, times)
    bps[:, 0, GATEWAY] += burst
    return bps


@pytest.mark.parametrize("seed", range(5))
def test_a_host_that_sends_more_through_the_gateway_is_found(seed: int) -> None:
    bps = traffic(20, seed, burst=20.0)
    now = bps[-4:].mean(axis=0)
    found = network_matrix(bps.sum(axis=2), bps.sum(axis=1), now.sum(axis=1), now.sum(axis=0))
    assert found is not None
    assert found[:, GATEWAY] == pytest.approx(now[:, GATEWAY], abs=3.0)
    in_proportion = now.sum(axis=1) * now[:, GATEWAY].sum() / now.sum()
    assert abs(in_proportion[0] - now[0, GATEWAY]) > 8.0


def test_attachments_of_one_node_exchange_nothing() -> None:
    bps = traffic(20, 5)
    now = bps[-1]
    found = network_matrix(
        bps.sum(axis=2), bps.sum(axis=1), now.sum(axis=1), now.sum(axis=0), owner=(1, 1, 2, 3, 4)
    )
    assert found is not None
    assert found[0, 1] == found[1, 0] == 0


def test_a_burst_that_has_just_begun_is_attributed_by_what_the_others_did_not_receive() -> None:
    before, after = traffic(20, 3), traffic(4, 4, burst=20.0)
    now = after.mean(axis=0)
    found = network_matrix(before.sum(axis=2), before.sum(axis=1), now.sum(axis=1), now.sum(axis=0))
    assert found is not None
    assert found[0, GATEWAY] == pytest.approx(now[0, GATEWAY], abs=4.0)


def test_too_few_known_times_give_nothing() -> None:
    bps = traffic(LEAST_BINS, 1)
    sent, received = bps.sum(axis=2), bps.sum(axis=1)
    assert network_matrix(sent, received, sent[-1], received[-1]) is not None
    sent[0, 0] = np.nan
    assert network_matrix(sent, received, sent[-1], received[-1]) is None


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_every_attachment_receives_what_was_measured(past: int, present: int) -> None:
    bps, now = traffic(LEAST_BINS, past), traffic(1, present)[0]
    found = network_matrix(bps.sum(axis=2), bps.sum(axis=1), now.sum(axis=1), now.sum(axis=0))
    assert found is not None
    assert found.sum(axis=0) == pytest.approx(now.sum(axis=0))
    assert (found >= 0).all()
    assert np.diag(found) == pytest.approx(0.0)
