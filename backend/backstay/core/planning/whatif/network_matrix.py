"""Traffic between the attachments of one shared network, from what each sends and receives over time.

Counters do not say to whom a port sends. Of what it sends, the part for each other port is assumed constant
over some minutes (fanout estimation); the parts are those under which the loads received follow from the
loads sent, found by expectation maximisation. Scaled in rounds, they give the present matrix, whose sums are
the present loads (iterative proportional fitting).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

LEAST_BINS = 8
"""Fewer points in time say too little."""
_FANOUT_ROUNDS = 200
_FITTING_ROUNDS = 50
_PRIOR = 0.003
"""Weight of the gravity model against the measurements: what they do not decide is in proportion."""
Floats = np.ndarray[Any, np.dtype[np.float64]]


def network_matrix(
    sent: Floats, received: Floats, sent_now: Floats, received_now: Floats, owner: Sequence[int] = ()
) -> Floats | None:
    """Present bit/s, (from, to); the sum over all senders is exactly what each attachment receives.

    Attachments of the same `owner` exchange nothing over the network; without it, each is by itself.

    `sent` and `received`: bit/s, (times, attachments), NaN: unknown; `sent_now` and `received_now`: by
    attachment. None: too few times are known.
    """
    is_known = ~np.isnan(sent).any(axis=1) & ~np.isnan(received).any(axis=1)
    if is_known.sum() < LEAST_BINS or np.isnan(sent_now).any() or np.isnan(received_now).any():
        return None
    nodes = np.array(owner or range(sent.shape[1]))
    parts = _fanouts(sent[is_known], received[is_known], nodes[:, None] != nodes[None, :])
    return _fitted(parts * sent_now[:, None], sent_now, received_now)


def _fanouts(sent: Floats, received: Floats, can_exchange: np.ndarray[Any, np.dtype[np.bool_]]) -> Floats:
    """Part of what each attachment sends that each other one receives; rows sum to 1."""
    even = parts = _rows(np.where(can_exchange, received.sum(axis=0)[None, :], 0.0))
    amount = sent.sum(axis=0)[:, None]
    for _ in range(_FANOUT_ROUNDS):
        expected = sent @ parts
        ratio = np.divide(received, expected, out=np.zeros_like(expected), where=expected > 0)
        parts = _rows(parts * (sent.T @ ratio) + _PRIOR * amount * even)
    return parts


def _rows(parts: Floats) -> Floats:
    sums = parts.sum(axis=1, keepdims=True)
    found: Floats = np.divide(parts, sums, out=np.zeros_like(parts), where=sums > 0)
    return found


def _fitted(bps: Floats, sent: Floats, received: Floats) -> Floats:
    for _ in range(_FITTING_ROUNDS):
        bps = _rows(bps) * sent[:, None]
        bps = _rows(bps.T).T * received
    return bps
