"""The head of a plan's document: the first entries of each list, so that reading a change does not read
megabytes, and how many entries each list has. The worst failures come first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from backstay.core.model.plan import ImpactVerdict

NAMES = 20
"""Node names of a list; `SHAPES`, `IMPACTS`, `LINKS` and `WAVES`: entries of these."""
SHAPES, IMPACTS, LINKS, WAVES = 20, 50, 12, 100
_SEVERITY: tuple[ImpactVerdict, ...] = ("loops", "cuts_off", "saturates", "holds")
Document = Mapping[str, Any]


def head_of(document: Document) -> dict[str, Any] | None:
    """The head of a document; None: it is short itself."""
    found = {
        **{name: value for name, value in document.items() if name != "parts"},
        "shapes": [
            {**shape, "nodes": shape["nodes"][:NAMES], "node_count": len(shape["nodes"])}
            for shape in document["shapes"][:SHAPES]
        ],
        "checks": [
            {**check, "nodes": check["nodes"][:NAMES], "node_count": len(check["nodes"])}
            for check in document["checks"]
        ],
        "impacts": [_impact(impact) for impact in worst_first(document["impacts"])[:IMPACTS]],
        "waves": [wave[:NAMES] for wave in document["waves"][:WAVES]],
        "counts": counts(document),
    }
    return found if _is_cut(document) else None


def _is_cut(document: Document) -> bool:
    shapes, impacts, waves = document["shapes"], document["impacts"], document["waves"]
    names = [*waves, *(item["nodes"] for item in (*shapes, *document["checks"]))]
    return (
        len(shapes) > SHAPES
        or len(impacts) > IMPACTS
        or len(waves) > WAVES
        or any(len(listed) > NAMES for listed in names)
        or any(_excess(impact) for impact in impacts)
    )


def counts(document: Document) -> dict[str, Any]:
    """`PlanCounts` of a whole document: how many entries its lists have."""
    verdicts = Counter(impact["verdict"] for impact in document["impacts"] if impact["kind"] != "none")
    return {
        "shapes": len(document["shapes"]),
        "failures": {verdict: verdicts[verdict] for verdict in _SEVERITY},
        "waves": [len(wave) for wave in document["waves"]],
    }


def worst_first(impacts: Sequence[Document]) -> list[Document]:
    """The state without a failure, then the worst; otherwise in their order."""
    return sorted(
        impacts, key=lambda impact: -1 if impact["kind"] == "none" else _SEVERITY.index(impact["verdict"])
    )


def _excess(impact: Document) -> dict[str, int]:
    """How many entries of each list of an impact its head leaves out."""
    limits = {"cut_off": NAMES, "looping": NAMES, "moved": NAMES, "links": LINKS}
    return {name: more for name, most in limits.items() if (more := len(impact[name]) - most) > 0}


def _impact(impact: Document) -> dict[str, Any]:
    omitted = Counter(impact.get("omitted", {})) + Counter(_excess(impact))
    names = {name: impact[name][:NAMES] for name in ("cut_off", "looping", "moved")}
    return {**impact, **names, "links": impact["links"][:LINKS], "omitted": dict(omitted)}
