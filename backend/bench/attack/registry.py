"""All attacks in order."""

from __future__ import annotations

from bench.attack import (
    expensive_site,
    hung_database,
    notice_storm,
    poison,
    sign_ins,
    slow_bodies,
    udp_storm,
    uploads,
)
from bench.attack.target import Attack, Result, Target


def _nothing(target: Target) -> Result:
    import time

    time.sleep(target.seconds)
    return Result()


ATTACKS = [
    Attack(name="none", title="no attack", run=_nothing),
    Attack(name="slow-ingest", title="200 slow bodies, ingest port", run=slow_bodies.on_ingest),
    Attack(name="slow-web", title="200 slow bodies, web port", run=slow_bodies.on_web),
    Attack(name="sign-in", title="60 parallel wrong sign-ins", run=sign_ins.run),
    Attack(name="upload", title="bodies of 600 MB", run=uploads.run),
    Attack(name="texts", title="poison: texts and numbers", run=poison.texts_and_numbers),
    Attack(name="neighbours", title="poison: 100,000 neighbours, resent", run=poison.neighbours),
    Attack(name="table", title="poison: 20,480 new neighbours", run=poison.largest_table),
    Attack(name="notices", title="poison: 500 notices a batch", run=poison.notices),
    Attack(name="bombs", title="poison: deep JSON, gzip bomb", run=poison.depth_and_bombs),
    Attack(name="storm", title="storm: 1,000 notices/s of a device", run=notice_storm.run),
    Attack(name="udp-storm", title="storm: 1,000 datagrams/s to an agent", run=udp_storm.run),
    Attack(name="clash", title="sick site: 8,000 clashing addresses", run=expensive_site.disagreement),
    Attack(name="rule", title="sick site: its rules raise", run=expensive_site.raising_rule),
    Attack(
        name="hung-database",
        title="PostgreSQL stopped for 10 s",
        run=hung_database.run,
        judges_latency=False,
    ),
]
