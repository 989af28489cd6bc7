"""Duration of a change from "apply" to "confirmed everywhere", per wave, on a running demo:
`python -m backstay_bench.apply --demo .backstay/demo.json --policy NAME [NAME ...]`.

Everything is real: backend, database, agents, guards, routing engines. A change that deploys the policies
is created, planned, approved by the demo's second person and applied; each wave is confirmed automatically
when its probes pass. If the nodes already run the policies, there is nothing to measure: use a fresh demo.
Prints a table and, last, one line `BENCH {...}`. Exits 0 unless the measurement failed.
"""

import argparse
import json
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from backstay_bench.figures import bench_line, figure

_GOAL_S, _GOAL_NODES = 20.0, 30
_LARGE_GOAL_S, _LARGE_NODES = 90.0, 150
_POLL_S = 2.0
"""Poll interval, seconds, which is also the error of each time: a poll costs the measured machine time."""
_ANSWER_S = 120.0
_MOST_S = 600.0
_BEFORE_WAVE = {"pending", "preparing", "prepared"}
_OVER = {"done", "rolled_back", "stopped", "failed", "superseded"}


class CannotMeasureError(Exception):
    """The message gives the reason."""


@dataclass(frozen=True)
class Api:
    """The public API as one user."""

    url: str
    token: str

    def get(self, path: str) -> Any:
        """Raises CannotMeasureError."""
        return self._call("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Raises CannotMeasureError."""
        return self._call("POST", path, json.dumps(body).encode())

    def _call(self, method: str, path: str, data: bytes | None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if data is not None:
            headers["Idempotency-Key"] = str(uuid4())
        asked = urllib.request.Request(f"{self.url}/api/v1/{path}", data, headers, method=method)  # noqa: S310
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(asked, timeout=_ANSWER_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            text = error.read(2000).decode(errors="replace")
            raise CannotMeasureError(f"{method} {path} answered {error.code}: {text}") from error
        except (OSError, ValueError) as error:
            raise CannotMeasureError(f"{method} {path}: {error}") from error


@dataclass
class Watched:
    """Observed start and confirmation of each wave, seconds after the change was applied."""

    prepared: float = 0.0
    """Until every node had prepared."""
    nodes: dict[int, int] = field(default_factory=dict)
    began: dict[int, float] = field(default_factory=dict)
    ended: dict[int, float] = field(default_factory=dict)

    def see(self, change: dict[str, Any], at: float) -> None:
        """Add one observation of the change."""
        for progress in change["progress"]:
            wave, found = progress["wave"], set(progress["states"])
            if found & {"pending", "preparing"}:
                self.prepared = at
            self.nodes[wave] = progress["nodes"]
            if not found <= _BEFORE_WAVE:
                self.began.setdefault(wave, at)
            if found == {"confirmed"}:
                self.ended.setdefault(wave, at)


def _policies(api: Api, site: str, names: list[str]) -> list[int]:
    found = {
        item["name"]: item["id"] for item in api.get(f"failover-policies?site={site}&limit=200")["items"]
    }
    unknown = [name for name in names if name not in found]
    if unknown:
        raise CannotMeasureError(f"{site} has no policy {', '.join(unknown)}; it has {', '.join(found)}")
    return [found[name] for name in names]


def _approved(api: Api, second: Api, body: dict[str, Any]) -> dict[str, Any]:
    """Create, plan and approve the change; raises CannotMeasureError with the plan's reason."""
    change: dict[str, Any] = api.post("changes", body)
    plan = change["plan"]
    if plan is None:
        raise CannotMeasureError(f"change {change['name']} has no plan: {change['state_text']}")
    approval = {"digest": plan["digest"], "comment": "benchmark", "accept_warnings": True}
    return dict(second.post(f"changes/{change['id']}/approve", approval))


def _apply(api: Api, change: dict[str, Any]) -> Watched:
    watched, began = Watched(), time.monotonic()
    body = {"digest": change["plan"]["digest"], "timeout_s": 120, "auto_confirm": True}
    change = api.post(f"changes/{change['id']}/apply", body)
    while change["state"] not in _OVER:
        if time.monotonic() - began > _MOST_S:
            raise CannotMeasureError(f"{change['name']} is still {change['state']}: {change['state_text']}")
        time.sleep(_POLL_S)
        change = api.get(f"changes/{change['id']}?plan=false")
        watched.see(change, time.monotonic() - began)
    if change["state"] != "done":
        reasons = "; ".join(
            f"{item['node']}: {item['reason']}" for item in change["members"] if item["reason"]
        )
        raise CannotMeasureError(f"{change['name']} is {change['state']}: {change['state_text']}; {reasons}")
    return watched


def _print(watched: Watched, planned_s: float) -> None:
    nodes, total = sum(watched.nodes.values()), max(watched.ended.values())
    waves = f"{nodes} nodes in {len(watched.nodes)} waves"
    print(f"{waves}; planned in {planned_s:.1f} s, prepared after {watched.prepared:.1f} s")
    print(f"{'wave':>6} {'nodes':>6} {'began, s':>10} {'took, s':>9}")
    for wave in sorted(watched.nodes):
        took = watched.ended[wave] - watched.began[wave]
        print(f"{wave:>6} {watched.nodes[wave]:>6} {watched.began[wave]:>10.1f} {took:>9.1f}")
    print(f"{'all':>6} {nodes:>6} {0:>10.1f} {total:>9.1f}")
    goal_s = _LARGE_GOAL_S if nodes >= _LARGE_NODES else _GOAL_S
    met = total <= goal_s and nodes >= _GOAL_NODES
    figures = {"apply": figure(round(total, 1), goal_s, "s", met=met)}
    figures["nodes"] = figure(nodes, _GOAL_NODES, "nodes", met=nodes >= _GOAL_NODES)
    print(bench_line("apply", figures))


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--demo",
        type=Path,
        default=Path(".backstay/demo.json"),
        help="demo.json of the running demo (default: %(default)s)",
    )
    parser.add_argument("--site", default="", help="site of the demo (default: the first one)")
    parser.add_argument("--policy", nargs="+", required=True, metavar="NAME", help="policies to deploy")
    parser.add_argument("--nodes", nargs="+", default=[], metavar="NAME", help="deploy to these nodes only")
    parser.add_argument("--wave-size", type=int, metavar="N", help="maximum nodes per wave")
    options = parser.parse_args()
    try:
        demo = json.loads(options.demo.read_text())
        api, second = Api(demo["url"], demo["token"]), Api(demo["url"], demo["second"]["token"])
        site = options.site or demo["site"].split(",")[0]
        began = time.monotonic()
        wanted = {"policies": _policies(api, site, options.policy), "nodes": options.nodes}
        wanted |= {"site": site, "title": "benchmark of an apply", "wave_size": options.wave_size}
        change = _approved(api, second, wanted)
        planned_s = time.monotonic() - began
        _print(_apply(api, change), planned_s)
    except (OSError, ValueError, KeyError, CannotMeasureError) as error:
        sys.exit(f"cannot measure: {error}")


if __name__ == "__main__":
    main()
