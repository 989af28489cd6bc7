"""Cleaning up after a supervisor that was killed: by what it wrote down, and nothing else."""

from __future__ import annotations

import signal

from backstay_lab.demo import sessions
from backstay_lab.demo.layout import Layout
from backstay_lab.demo.progress import Progress
from backstay_lab.demo.record import Record
from backstay_lab.demo.supervisor import forget, take_down_labs

STORES = ("redis", "postgres")


def sweep(layout: Layout, left: Record, progress: Progress) -> None:
    """End every process of a dead supervisor, and its lab."""
    mark = str(layout.data)
    others = [child for name, child in left.children.items() if name not in STORES]
    stores = [child for name, child in left.children.items() if name in STORES]
    sessions.end(others, mark, ask=signal.SIGTERM, grace_s=6)
    take_down_labs(layout, left.sites, progress)
    sessions.end(stores, mark, ask=signal.SIGINT, grace_s=5)
    forget(layout, left)
    progress.say("cleaned", "ended what a killed demo had left behind")
