"""Whether the surfaces were right about the faults of one cell. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from backstay_bench.truth.consistency import Contradiction
from backstay_bench.truth.measured_paths import Measured
from backstay_bench.truth.snapshots import Json, Snapshots, states_number


@dataclass(frozen=True, slots=True)
class Expected:
    """One real cause, as an operator would name it."""

    culprits: tuple[str, ...]
    """Names, one of which the root incident and the headline must contain."""
    severity: str = ""
    """Of the root; empty: critical if any path is dead, else any."""
    is_brief: bool = False
    """It may end before it is detected; it then need not be named."""
    silent_node: str = ""
    """A node that does not report meanwhile: its root says so, and its paths are unknown."""
    evidence: tuple[str, ...] = ()
    """Sources, such as `bfd`, that the root's evidence must include."""


@dataclass(frozen=True)
class Moment:
    """What was shown and what was measured while the faults stood."""

    shown: Snapshots
    measured: Mapping[int, Measured]
    contradictions: Sequence[Contradiction] = ()


@dataclass(frozen=True)
class Baseline:
    """The healthy site before the faults."""

    incidents: frozenset[int]
    measured: Mapping[int, Measured] = field(default_factory=dict)
    bad_paths: frozenset[int] = frozenset()
    """Ids of paths that are shown as dead or on a fallback already."""

    @classmethod
    def of(cls, shown: Snapshots, measured: Mapping[int, Measured]) -> "Baseline":
        """Incidents that are open already are not of the faults."""
        bad = [*shown.dead_paths, *shown.rerouted_paths]
        return cls(
            frozenset(item["id"] for item in shown.incidents),
            measured,
            frozenset(path["id"] for path in bad),
        )

    def is_dead(self, measured: Measured) -> bool:
        """Whether the path works in the healthy lab and not now."""
        before = self.measured.get(measured.path_id)
        return not measured.is_alive and (before is None or before.is_alive)

    def is_rerouted(self, measured: Measured) -> bool:
        """Whether the path works through another gateway than in the healthy lab."""
        before = self.measured.get(measured.path_id)
        return measured.is_alive and before is not None and before.gateway != measured.gateway


def faults_of(moment: Moment, baseline: Baseline, expected: Sequence[Expected]) -> list[str]:
    """Everything that is wrong at this moment; empty: right."""
    return [
        *_wrong_paths(moment, baseline),
        *_wrong_roots(moment, baseline, expected),
        *_wrong_headline(moment, baseline, expected),
        *(text for item in expected if item.silent_node for text in _wrong_silence(moment.shown, item)),
        *(text for item in expected if not item.is_brief for text in _wrong_evidence(moment.shown, item)),
        *map(str, moment.contradictions),
    ]


def has_right_headline(
    shown: Snapshots, moment: Moment, baseline: Baseline, expected: Sequence[Expected]
) -> bool:
    """Whether the overview alone names each cause and the measured numbers."""
    return not _wrong_headline(Moment(shown, moment.measured), baseline, expected)


def _wrong_paths(moment: Moment, baseline: Baseline) -> list[str]:
    """Paths whose state differs from the lab's; a node that reports has no unknown path in force."""
    wrong = []
    judged = _judged(moment.shown)
    for path in moment.shown.paths:
        measured = moment.measured.get(path["id"])
        if measured is None or path["id"] not in judged:
            continue
        if path["state"] == "unknown":
            if path.get("in_force", True):
                wrong.append(f"{path['name']} is unknown, but {path['node']} reports")
            continue
        is_dead = path["state"] == "critical"
        if is_dead != (not measured.is_alive):
            found = "answers" if measured.is_alive else "does not answer"
            wrong.append(f"{path['name']} is {path['state']}, its target {found}")
        elif measured.is_alive and path["active"] != measured.gateway:
            wrong.append(f"{path['name']} is shown through {path['active']}, it uses {measured.gateway}")
    return wrong


def _judged(shown: Snapshots) -> set[int]:
    """Ids of paths about which something must be known: all but unknown ones of nodes that do not report."""
    silent = shown.silent_nodes
    return {path["id"] for path in shown.paths if path["state"] != "unknown" or path["node"] not in silent}


def _wrong_silence(shown: Snapshots, item: Expected) -> list[str]:
    """A node without reports is named by its root, and nothing is claimed about its paths."""
    node = item.silent_node
    wrong = [f"{node} is shown as reporting"] if node not in shown.silent_nodes else []
    if not any(node in root["title"] and "not reporting" in root["title"] for root in shown.roots):
        wrong.append(f"no root incident says that {node} is not reporting")
    return wrong + [
        f"{path['name']} is {path['state']}, but {node} does not report"
        for path in shown.paths
        if path["node"] == node and path["state"] != "unknown"
    ]


def _wrong_evidence(shown: Snapshots, item: Expected) -> list[str]:
    """Sources that are missing in the evidence of the cause's root."""
    roots = [root for root in shown.roots if _names(root, item.culprits)]
    sources = {found["source"] for root in roots for found in shown.details[root["id"]]["evidence"]}
    return [
        f"the evidence of {roots[0]['title']!r} has nothing of {source}"
        for source in item.evidence
        if roots and source not in sources
    ]


def _wrong_roots(moment: Moment, baseline: Baseline, expected: Sequence[Expected]) -> list[str]:
    roots = [item for item in moment.shown.roots if item["id"] not in baseline.incidents]
    wanted = [item for item in expected if not item.is_brief]
    wrong = []
    claimed: set[int] = set()
    for item in expected:
        named = [root for root in roots if root["id"] not in claimed and _names(root, item.culprits)]
        if not named:
            if not item.is_brief:
                wrong.append(f"no root incident names {' or '.join(item.culprits)}")
            continue
        claimed.add(named[0]["id"])
        severity = item.severity or (_severity(moment, baseline) if len(expected) == 1 else "")
        if severity and named[0]["state"] != severity:
            wrong.append(f"{named[0]['title']!r} is {named[0]['state']}, not {severity}")
    more = [root["title"] for root in roots if root["id"] not in claimed]
    if more:
        wrong.append(f"{len(roots)} roots for {len(wanted)} causes; not expected: {'; '.join(more)}")
    return wrong


def _severity(moment: Moment, baseline: Baseline) -> str:
    """A dead path is critical, even if other nodes are reachable."""
    judged = _judged(moment.shown)
    found = (item for key, item in moment.measured.items() if key in judged)
    return "critical" if any(baseline.is_dead(item) for item in found) else ""


def _names(root: Json, culprits: Collection[str]) -> bool:
    text = f"{root['name']} {root['title']}"
    return any(culprit in text for culprit in culprits)


def _wrong_headline(moment: Moment, baseline: Baseline, expected: Sequence[Expected]) -> list[str]:
    text = moment.shown.overview["headline"]
    wrong = [
        f"the headline names none of {', '.join(item.culprits)}: {text!r}"
        for item in expected
        if not item.is_brief and not any(name in text for name in item.culprits)
    ]
    judged = _judged(moment.shown)
    found = [item for key, item in moment.measured.items() if key in judged]
    numbers = {
        "dead": sum(baseline.is_dead(item) for item in found),
        "rerouted": sum(baseline.is_rerouted(item) for item in found),
    }
    wrong += [
        f"the headline does not state {number} {what}: {text!r}"
        for what, number in numbers.items()
        if number and not states_number(text, number)
    ]
    return wrong
