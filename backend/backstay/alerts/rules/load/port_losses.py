"""Ports that lose packets: a share of them with errors, or discarded. Each direction is evaluated separately.

Discards of a link that is full are part of its saturation, which has an incident of its own: they are left
out. So are the losses of a port without carrier, which are part of what took it down.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, own_link
from backstay.alerts.rule_settings import RuleSettings, as_settings
from backstay.alerts.rules.load.sample_count import count_of
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.link_rates import NO_PORT, Flags, Floats, Ints
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import (
    RuleParameter,
    opens_at,
    resolves_below,
    sample_count,
)
from backstay.core.alerting.saturation import Count, Thresholds, judge
from backstay.core.formatting import per_second, share
from backstay.core.model.load import Load
from backstay.core.thresholds import SATURATION_CLEARS_BELOW

DIRECTIONS = ("in", "out")
LEAST = RuleParameter(
    "least",
    "Minimum per sample",
    "errors",
    10,
    1,
    1_000_000,
    "Fewer packets lost in a sample never count.",
    "integer",
)
_VERBS = {"in": "received", "out": "sent"}


@dataclass(frozen=True, slots=True)
class LossKind:
    """What is lost."""

    kind: str
    counter: str
    """`errors` or `discards` of `NewestSamples`."""
    text: str
    advice: str
    is_congestion: bool = False
    """Whether a full link explains it."""


@dataclass(frozen=True, slots=True)
class PortLoss:
    """Losses of all ports of a topology in its order, in the newest samples: (2, ports), in and out."""

    lost: Floats
    """Packets in the sample."""
    share: Floats
    """Of all packets; NaN: no value."""
    fresh: Flags
    place: Ints
    """Position in the samples; -1: none."""


def port_losses(snapshot: SiteSnapshot, loss: LossKind) -> PortLoss:
    """Losses in the newest samples."""
    samples, ports = snapshot.newest_samples, snapshot.override_targets.ids["port"]
    place = samples.places(ports)
    lost, shares = [], []
    for direction in DIRECTIONS:
        gone = samples.taken(samples.counters[f"{direction}_{loss.counter}"], place)
        packets = samples.taken(samples.counters[f"{direction}_packets"], place)
        # IF-MIB counts neither errored nor discarded packets as unicast or multicast packets.
        whole = np.nan_to_num(packets) + gone
        lost.append(gone)
        shares.append(
            np.where(whole > 0, gone / np.where(whole > 0, whole, 1.0), np.where(np.isnan(gone), np.nan, 0))
        )
    current = samples.is_fresh(snapshot.now, snapshot.site.interval_s)
    fresh = (place != NO_PORT) & (current[place] if len(current) else False)
    return PortLoss(np.stack(lost), np.stack(shares), np.asarray(fresh, np.bool_), place)


def loss_rule(loss: LossKind, title: str, summary: str, raise_at: float, clear_at: float) -> Rule:
    """The rule of one kind of loss."""

    def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
        return _evaluate(snapshot, as_settings(parameters), present, loss)

    return Rule(
        kind=loss.kind,
        title=title,
        severity="warning",
        evaluate=evaluate,
        group="errors",
        about="port",
        summary=summary,
        parameters=(
            opens_at(raise_at, "Share of the packets"),
            resolves_below(clear_at, "Share of the packets"),
            LEAST,
            sample_count(3),
        ),
        by_object=True,
        reads_samples=True,
        cause_rank=CauseRank.INDEPENDENT,
        scope=own_link,
        runbook="port-errors",
    )


def _evaluate(snapshot: SiteSnapshot, settings: RuleSettings, present: Present, loss: LossKind) -> RuleResult:
    losses = port_losses(snapshot, loss)
    limits = {
        name: settings.of_objects("port", name) for name in ("raise_at", "clear_at", "least", "samples")
    }
    counts = (losses.lost >= limits["least"]) & ~_is_congested(snapshot, loss)
    shares = np.where(counts | np.isnan(losses.share), losses.share, 0.0)
    over = losses.fresh & (shares >= limits["raise_at"])
    places = {(int(direction), int(place)) for direction, place in zip(*np.nonzero(over), strict=True)}
    known = {name: _place(snapshot, name) for name in present}
    places |= {place for place in known.values() if place is not None}
    findings, undecided = [], set()
    for direction, place in sorted(places):
        port = int(snapshot.override_targets.ids["port"][place])
        fingerprint = f"{loss.kind}:{port}:{DIRECTIONS[direction]}"
        value = float(shares[direction, place])
        if not losses.fresh[place] or np.isnan(value) or snapshot.port_view(port).oper_up is False:
            undecided.add(fingerprint)
            continue
        thresholds = Thresholds(
            float(limits["raise_at"][place]), float(limits["clear_at"][place]), int(limits["samples"][place])
        )
        at = datetime.fromtimestamp(float(snapshot.newest_samples.at[losses.place[place]]), UTC)
        load = Load(bps=0, utilisation=value, peak_bps=None, at=at, fresh=True)
        count = judge(count_of(present.get(fingerprint)), load, thresholds, snapshot.site.interval_s)
        if count.firing or count.bad:
            seconds = float(snapshot.newest_samples.seconds[losses.place[place]])
            rate = float(losses.lost[direction, place]) / max(seconds, 1e-9)
            of = _PortDirection(port, DIRECTIONS[direction], value, rate, at, thresholds, count)
            findings.append(_finding(snapshot, of, fingerprint, loss))
    return RuleResult(tuple(findings), frozenset(undecided))


@dataclass(frozen=True, slots=True)
class _PortDirection:
    port: int
    direction: str
    share: float
    per_s: float
    at: datetime
    thresholds: Thresholds
    count: Count


def _place(snapshot: SiteSnapshot, fingerprint: str) -> tuple[int, int] | None:
    _, port, direction = fingerprint.split(":")
    place = snapshot.override_targets.place["port"].get(int(port))
    return None if place is None else (DIRECTIONS.index(direction), place)


def _is_congested(snapshot: SiteSnapshot, loss: LossKind) -> Flags:
    """Whether each direction of each port is nearly full, so that its discards are part of a saturation."""
    ports = snapshot.override_targets.place["port"]
    found = np.zeros((2, len(ports)), np.bool_)
    if not loss.is_congestion:
        return found
    rates, table = snapshot.link_rates, snapshot.link_table
    full = np.maximum(np.nan_to_num(rates.used), np.nan_to_num(rates.used_peak)) >= SATURATION_CLEARS_BELOW
    for direction, place in zip(*np.nonzero(full), strict=True):
        # Forward is out of a and into b.
        for port, is_sender in ((int(table.a[place]), direction == 0), (int(table.b[place]), direction == 1)):
            if port in ports:
                found[1 if is_sender else 0, ports[port]] = True
    return found


def _finding(snapshot: SiteSnapshot, of: _PortDirection, fingerprint: str, loss: LossKind) -> Finding:
    name, link = snapshot.port_name(of.port), snapshot.topology.link_of_port.get(of.port)
    return Finding(
        fingerprint=fingerprint,
        subject=name,
        title=f"{name}: {share(of.share)} of {_VERBS[of.direction]} packets {loss.text}",
        detail=f"{per_second(of.per_s, 'packets')} lost: over {share(of.thresholds.raise_at)}."
        f" Clears below {share(of.thresholds.clear_at)}. {loss.advice}",
        since=of.at,
        node_id=snapshot.topology.ports[of.port].node_id,
        link_id=None if link is None else link.id,
        value=of.share,
        threshold=of.thresholds.raise_at,
        count=of.count,
    )


ERRORS = loss_rule(
    LossKind(
        "port_errors",
        "errors",
        "have errors",
        "Check the cable, the optics and the settings of both ends.",
    ),
    "Port errors",
    "A share of a port's packets has errors.",
    0.001,
    0.0001,
)
DISCARDS = loss_rule(
    LossKind(
        "port_discards",
        "discards",
        "are discarded",
        "The port's queue overflows although the link is not full: look for bursts and slow receivers.",
        is_congestion=True,
    ),
    "Port discards",
    "A port discards a share of its packets although its link is not full.",
    0.01,
    0.001,
)
