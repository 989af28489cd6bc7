"""The demo's sentences: what it says when it is ready, and what a second start says. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backstay_lab.demo.layout import Layout
from backstay_lab.demo.record import Record


def ready(demo: Mapping[str, Any]) -> str:
    """The line that ends a start, and who else may sign in."""
    second = demo["second"]
    return (
        f"Backstay is ready: {demo['url']}  user {demo['user']}  password {demo['password']}\n"
        f"Who approves changes: user {second['user']}  password {second['password']}"
    )


def already(layout: Layout, running: Record | None) -> str:
    """What a second start says instead of starting anything."""
    if running is None or running.phase == "starting":
        where = f" at {running.url}" if running and running.url else ""
        return f"A demo is already starting in {layout.data}{where}; its words: {layout.log('supervisor')}"
    if running.phase == "stopping":
        return f"The demo in {layout.data} is being stopped; try again in a few seconds."
    return (
        f"Backstay already runs: {running.url}  (user and password: {layout.demo_file};"
        " stop it: make demo-stop)"
    )
