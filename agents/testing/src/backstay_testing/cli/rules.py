"""Alert rules and metric limits of the fake backend."""

from __future__ import annotations

from typing import Any

from backstay_testing.cli.fake_server import AT

RULE: dict[str, Any] = {
    "kind": "saturation",
    "name": "Saturation",
    "group": "load",
    "group_title": "Load",
    "summary": "A direction of a link stays near its usable rate.",
    "about": "link",
    "enabled": True,
    "enabled_by_default": True,
    "severity": "warning",
    "has_own_severity": False,
    "parameters": [
        {
            "name": name,
            "label": name,
            "unit": unit,
            "type": "number",
            "minimum": 0,
            "maximum": 100,
            "default": default,
            "value": value,
            "help": "Help.",
        }
        for name, unit, default, value in (
            ("raise_at", "share", 0.9, 0.85),
            ("clear_at", "share", 0.75, 0.75),
            ("samples", "samples", 3, 3),
        )
    ],
    "scopes": ["site", "fabric", "role", "label", "port"],
    "overrides": 1,
    "open_incidents": 2,
    "has_preview": True,
    "lists_unmeasured": True,
    "runbook": "docs/runbooks/saturation.md",
    "origin": "operator",
    "changed_by": "ada",
    "changed_at": AT.isoformat(),
}
OVERRIDE = {
    "id": 4,
    "kind": "saturation",
    "scope": "role",
    "match": "gateway",
    "name": "role gateway",
    "enabled": None,
    "severity": "critical",
    "parameters": {"raise_at": 0.8},
    "origin": "operator",
    "changed_by": "ada",
    "changed_at": AT.isoformat(),
}
PREVIEW = {
    "start": AT.isoformat(),
    "end": AT.isoformat(),
    "incidents": 12,
    "objects": 40,
    "read": 38,
    "worst": [{"name": "grf1:ga030-origin1:at0", "incidents": 9}],
    "notes": ["2 of 40 objects have no values in this time."],
}
LIMIT = {
    "id": 8,
    "name": "hot",
    "metric": "entity.temperature",
    "title": "Temperature",
    "unit": "°C",
    "subject": "temp*",
    "role": "",
    "labels": {"rack": "a1"},
    "above": True,
    "raise_at": 60.0,
    "clear_at": 55.0,
    "for_s": 60.0,
    "severity": "critical",
    "enabled": True,
    "origin": "operator",
    "changed_by": "ada",
    "changed_at": AT.isoformat(),
}
EFFECTIVE = {
    "kind": "saturation",
    "name": "Saturation",
    "about": "link",
    "enabled": True,
    "severity": "critical",
    "settings": [
        {
            "name": "raise_at",
            "label": "Opens at",
            "value": 0.8,
            "unit": "share",
            "source": "role gateway",
            "ties": ["role router"],
        }
    ],
}
PORT = {
    "id": 1,
    "name": "css0",
    "kind": "sp_switch",
    "url": "/devices/1",
    "node": "sp01",
    "fabric": "sp-switch",
    "state": "ok",
    "state_text": "up",
    "carrier": "up",
    "in_bps": 1_000_000,
    "out_bps": 6_000_000,
    "since": None,
    "age_s": None,
    "usable_rate": 100,
    "mtu": 1500,
    "mac": "",
    "utilisation": None,
}


def rule_answers() -> dict[tuple[str, str], Any]:
    """Responses by method and path."""
    return {
        ("GET", "/rules"): [RULE],
        ("GET", "/rules/saturation"): RULE,
        ("PUT", "/rules/saturation"): RULE,
        ("GET", "/rules/saturation/overrides"): [OVERRIDE],
        ("POST", "/rules/saturation/overrides"): (201, OVERRIDE),
        ("DELETE", "/rule-overrides/4"): (204, b""),
        ("POST", "/rules/saturation/preview"): PREVIEW,
        ("GET", "/rules/saturation/unmeasured"): [
            {"name": "sp01:css0", "reason": "its usable rate is unknown", "url": None}
        ],
        ("GET", "/ports"): [PORT],
        ("GET", "/ports/1/rules"): [EFFECTIVE],
        ("GET", "/rule-file"): {"site": "argonne", "text": "rules: []\nmetric_limits: []\n"},
        ("GET", "/metric-limits"): [LIMIT],
        ("POST", "/metric-limits"): (201, LIMIT),
        ("PUT", "/metric-limits/8"): LIMIT,
        ("DELETE", "/metric-limits/8"): (204, b""),
        ("POST", "/metric-limits/preview"): PREVIEW,
    }
