"""`tests`: the commands for throughput tests."""

from __future__ import annotations

from collections.abc import Callable

from backstay_cli.commands import throughput_new, throughput_plans, throughput_runs

ABOUT = "Throughput tests: plans, runs and the cause of each result."
VERBS: dict[str, Callable[..., None]] = {
    "plans": throughput_plans.plans,
    "plan": throughput_plans.plan,
    "new": throughput_new.new,
    "remove": throughput_plans.remove,
    "run": throughput_runs.run,
    "runs": throughput_runs.runs,
    "show": throughput_runs.show_run,
    "cancel": throughput_runs.cancel,
    "compare": throughput_runs.compare,
    "export": throughput_runs.export,
}
