"""Family `sonet`: line errors of SONET/SDH ports in the current 15 minutes (SONET-MIB, RFC 3592)."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

_LAYERS = {
    "section": (
        "Section",
        "1.3.6.1.2.1.10.39.1.2.1.1",
        "sonetSectionCurrent",
        {"ESs": 2, "SESs": 3, "CVs": 5},
    ),
    "line": (
        "Line",
        "1.3.6.1.2.1.10.39.1.3.1.1",
        "sonetLineCurrent",
        {"ESs": 2, "SESs": 3, "CVs": 4, "UASs": 5},
    ),
    "path": (
        "Path",
        "1.3.6.1.2.1.10.39.2.1.1.1",
        "sonetPathCurrent",
        {"ESs": 3, "SESs": 4, "CVs": 5, "UASs": 6},
    ),
}
_FIGURES = {
    "ESs": ("es", "ES", "s", "Seconds with at least one coding violation or defect"),
    "SESs": ("ses", "SES", "s", "Seconds with so many errors that the layer was hardly usable"),
    "CVs": ("cv", "CV", "errors", "Coding violations: parity errors"),
    "UASs": ("uas", "UAS", "s", "Seconds in which the layer was not available"),
}


def _levels() -> list[Metric]:
    return [
        Metric(
            f"sonet.{layer}_{key}",
            f"{title} {short}",
            "level",
            unit,
            f"{sentence} of the {layer} layer in the current 15 minutes.",
            f"{prefix}{name} {entry}.{columns[name]}",
            error=True,
        )
        for layer, (title, entry, prefix, columns) in _LAYERS.items()
        for name, (key, short, unit, sentence) in _FIGURES.items()
        if name in columns
    ]


METRICS: Sequence[Metric] = (
    *_levels(),
    Metric(
        "sonet.section_status",
        "Section",
        "state",
        "",
        "What is wrong with the signal itself: LOS, no light; LOF, light without frames.",
        "sonetSectionCurrentStatus 1.3.6.1.2.1.10.39.1.2.1.1.1",
        good=frozenset({"ok"}),
    ),
    Metric(
        "sonet.line_status",
        "Line",
        "state",
        "",
        "What is wrong on the line: AIS, trouble before the far end; RDI, the far end does not receive us.",
        "sonetLineCurrentStatus 1.3.6.1.2.1.10.39.1.3.1.1.1",
        good=frozenset({"ok"}),
    ),
    Metric(
        "sonet.path_status",
        "Path",
        "state",
        "",
        "What is wrong from end to end: LOP, AIS, RDI, or another payload than expected.",
        "sonetPathCurrentStatus 1.3.6.1.2.1.10.39.2.1.1.1.2",
        good=frozenset({"ok"}),
    ),
)
