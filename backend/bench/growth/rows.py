"""What agents do not report in groups, as set-based SQL: routes, neighbours, routing, paths, the past.

The shapes are those that the ingest writes. Reporting a first path, a routing table or a neighbour table
stores each agent's request alone and evaluates the site after it: minutes for 10,000 agents.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta

from django.db import connection

from backstay.alerts.models import Incident, SiteRule
from backstay.core.diagnosis.neighbours import PortTable
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.progress import Phase
from backstay.inventory.models import Link, Site
from backstay.policy.models import ArpPolicy
from backstay.rollout.models import Change
from backstay.telemetry.models import Event
from bench.growth.site_blueprint import CONFIG, PREFIX

_BOOT_FILE = (
    "log syslog all;\nprotocol device { }\n"
    "protocol kernel { ipv4 { export all; }; }\nprotocol direct { ipv4; }\n"
)
_ADDRESS = """
CREATE TEMP TABLE address AS
SELECT node.id, node.name, node.kind, port.name AS port, split_part(port.addresses[1], '/', 1) AS host,
    '02:00:' || regexp_replace(lpad(to_hex(port.id), 8, '0'), '(..)(..)(..)(..)', '\\1:\\2:\\3:\\4') AS mac
FROM inventory_node AS node JOIN inventory_port AS port ON port.node_id = node.id
WHERE port.name IN ('eth0', 'e0') AND cardinality(port.addresses) > 0
"""
_ROUTES = """
INSERT INTO telemetry_route (node_id, prefix, protocol, metric, via, port, since)
SELECT id, prefix, protocol, 0, via::inet, used, now() - interval '1 day'
FROM address JOIN (VALUES
    ('host', '0.0.0.0/0', 'bird', '10.1.250.1', 'eth0'), ('host', '10.1.0.0/16', 'kernel', NULL, 'eth0'),
    ('host', '10.3.0.0/16', 'kernel', NULL, 'eth1'), ('gateway', '10.1.0.0/16', 'kernel', NULL, 'e0')
) AS known (node_kind, prefix, protocol, via, used) ON node_kind = kind
UNION ALL
SELECT port.node_id, '0.0.0.0/0', 'bird', 0, regexp_replace(port.addresses[1], '.1/30$', '.2')::inet,
    port.name, now() - interval '1 day'
FROM inventory_port AS port JOIN address ON address.id = port.node_id
WHERE address.kind = 'gateway' AND port.name = 'w0'
"""
# A host talks to the gateways and to the next hosts of its rack.
_NEIGHBOURS = """
INSERT INTO telemetry_neighbour (node_id, port, address, mac, state, since, held_since)
SELECT host.id, host.port, other.host::inet, other.mac, 'reachable', now() - interval '1 hour',
    now() - interval '1 day'
FROM address AS host JOIN (
    SELECT one.id, gate.host, gate.mac FROM address AS one JOIN address AS gate ON gate.kind = 'gateway'
    UNION SELECT peer.id - step, peer.host, peer.mac
    FROM address AS peer CROSS JOIN generate_series(1, 4) AS step
) AS other ON other.id = host.id
WHERE host.kind = 'host'
"""
_WATCHES = """
INSERT INTO telemetry_neighbourwatch (node_id, at, capacity, overflows, ports, stirring)
SELECT node_id, now(), '{"ipv4": 1024}', '{}',
    jsonb_build_object('eth0', %(table)s::jsonb || jsonb_build_object('ipv4', count(*))), false
FROM telemetry_neighbour GROUP BY node_id
"""
_REPORTED = """
UPDATE telemetry_nodestate SET routes_at = now(), neighbours_at = now()
WHERE node_id IN (SELECT id FROM address)
"""
_NETWORKS = """
INSERT INTO telemetry_hostnetwork (node_id, controllers, resolvers, ports, rules, at)
SELECT node.id, '[]', '[]', (
    SELECT jsonb_agg(jsonb_build_object('port', port.name, 'vrf', '', 'forwards_ipv4', node.kind <> 'host',
        'forwards_ipv6', false, 'rp_filter', 2))
    FROM inventory_port AS port WHERE port.node_id = node.id
), '[]', now()
FROM inventory_node AS node WHERE node.agent_id IS NOT NULL AND node.role <> 'management'
"""
_ROUTING = """
INSERT INTO telemetry_routingstate (node_id, revision, digest, engine, alive, detail, routes, files, at,
    changed_at)
SELECT id, 0, encode(sha256(convert_to(name, 'UTF8')), 'hex'), 'bird', true, '',
    CASE WHEN kind = 'host' THEN jsonb_build_array(jsonb_build_object('prefix', %(prefix)s::text, 'hops',
        jsonb_build_array(jsonb_build_object('address', '10.1.250.1', 'port', 'eth0', 'preference', 60,
            'active', true)))) ELSE '[]' END,
    jsonb_build_array(jsonb_build_object('path', %(path)s::text, 'text', text,
        'sha256', encode(sha256(convert_to(text, 'UTF8')), 'hex'))),
    now(), now()
FROM (
    SELECT id, name, kind,
        %(text)s || 'router id 10.8.' || id / 250 %% 250 || '.' || id %% 250 + 1 || E';\n' AS text
    FROM inventory_node WHERE routing <> '{}'
) AS known
"""
# Every path on its first gateway, which is the stripe's once the plan is confirmed.
_PATHS = """
UPDATE policy_path AS path SET at = now(), observed_from = now() - interval '7 days',
    since = now() - interval '1 day', active_id = used.id, active_text = used.name, target_alive = true,
    target_since = now() - interval '1 day', target_rtt_us = 900 + path.id %% 100,
    liveness = (
        SELECT jsonb_object_agg(gateway.name, jsonb_build_object('alive', true, 'rtt_us', 400,
            'forwards', true, 'since', now() - interval '1 day'))
        FROM inventory_node AS gateway WHERE gateway.id = ANY (known.gateways)
    )
FROM (
    SELECT one.id, coalesce(one."order", (
        SELECT array_agg(member.node_id ORDER BY member."order") FROM policy_policygateway AS member
        WHERE member.policy_id = one.policy_id
    )) AS gateways
    FROM policy_path AS one
) AS known, inventory_node AS used
WHERE known.id = path.id AND used.id = known.gateways[1]
"""
_CONFIRMED = """
INSERT INTO rollout_intended (node_id, revision, routing, arp, change_id, at, judged_at)
SELECT key::bigint, 1, jsonb_set(value->'routing', '{revision}', '1'), NULL, %(change)s, now(), now()
FROM rollout_planrecord AS plan, jsonb_each(plan.assignments) WHERE plan.change_id = %(change)s
"""
_APPLIED = """
INSERT INTO rollout_application (change_id, node_id, wave, state, since, reason, "by", evidence, before,
    after, assignment)
SELECT %(change)s, key::bigint, (value->>'wave')::int, 'confirmed', now(), '', '', '[]', '', '', value
FROM rollout_planrecord AS plan, jsonb_each(plan.assignments) WHERE plan.change_id = %(change)s
"""
_ORDERS = """
UPDATE policy_path AS path SET "order" = ARRAY(SELECT jsonb_array_elements_text(chosen.value)::bigint)
FROM rollout_planrecord AS plan, jsonb_each(plan.assignments) AS node,
    jsonb_each(node.value->'orders') AS chosen
WHERE plan.change_id = %(change)s AND path.id = chosen.key::bigint AND jsonb_typeof(chosen.value) = 'array'
"""
_RUNNING = """
UPDATE telemetry_routingstate AS state SET revision = 1, changed_at = intended.at, at = now(),
    digest = encode(sha256(convert_to(intended.routing::text, 'UTF8')), 'hex'),
    routes = (
        SELECT jsonb_agg(jsonb_build_object('prefix', route->'prefix', 'hops', (
            SELECT jsonb_agg(hop - 'gateway' || jsonb_build_object('active', place = 1) ORDER BY place)
            FROM jsonb_array_elements(route->'hops') WITH ORDINALITY AS hops (hop, place)
        ))) FROM jsonb_array_elements(intended.routing->'routes') AS route
    ),
    files = (
        SELECT jsonb_agg(jsonb_build_object('path', file->'path', 'text', file->'text',
            'sha256', encode(sha256(convert_to(file->>'text', 'UTF8')), 'hex')))
        FROM jsonb_array_elements(intended.routing->'files') AS file
    )
FROM rollout_intended AS intended WHERE intended.node_id = state.node_id
"""
_PORTS = """
UPDATE telemetry_portstate AS state SET oper_up = %(up)s, since = now(), at = now()
FROM inventory_port AS port JOIN inventory_node AS node ON node.id = port.node_id
WHERE port.id = state.port_id AND port.name = 'eth1' AND node.name ~ '^h[0-9]*50$'
"""


def observe(site: Site) -> None:
    """Routes, neighbours, routing, networks and paths of a site that is described, and an ARP policy."""
    known = {"path": CONFIG, "text": _BOOT_FILE, "prefix": PREFIX, "table": json.dumps(asdict(PortTable()))}
    _run([_ADDRESS, _ROUTES, _NEIGHBOURS, _WATCHES, _REPORTED, _NETWORKS, _ROUTING, _PATHS], known)
    ArpPolicy.objects.create(site=site, fabric=site.fabrics.get(name="lan"), mode="unmanaged")


def confirm(change: Change) -> None:
    """Every node runs and saved what the change's plan intends, as after its last confirmation."""
    _run([_CONFIRMED, _APPLIED, _ORDERS, _RUNNING, _PATHS], {"change": change.pk})
    change.state, change.revision = "done", 1
    change.save(update_fields=["state", "revision"])


def remember(site: Site, now: datetime) -> None:
    """Resolved incidents, one for 50 links, and events, one for ten."""
    rule = SiteRule.objects.get(site=site, kind="port_down")
    links = list(Link.objects.filter(site=site).select_related("a__node").order_by("pk"))
    Incident.objects.bulk_create(
        Incident(
            site=site,
            rule=rule,
            fingerprint=f"port_down:{link.pk}",
            phase=Phase.RESOLVED,
            severity="critical",
            own_severity="critical",
            subject=f"{link.a.node.name}:{link.a.name}",
            title=f"{link.a.node.name}:{link.a.name} is down",
            link=link,
            opened_at=now - timedelta(minutes=10 * number + 5),
            last_seen=now - timedelta(minutes=10 * number + 1),
            resolved_at=now - timedelta(minutes=10 * number),
        )
        for number, link in enumerate(links[::50], 1)
    )
    Event.objects.bulk_create(
        Event(
            site=site,
            kind=EventKind.PORT_DOWN if number % 2 else EventKind.PORT_UP,
            severity="warning" if number % 2 else "ok",
            at=now - timedelta(minutes=number),
            node=link.a.node,
            link=link,
            subject=f"{link.a.node.name}:{link.a.name}",
            message=f"{link.a.node.name}:{link.a.name} changed",
        )
        for number, link in enumerate(links[::10], 1)
    )


def set_carriers(*, up: bool) -> None:
    """The storage port of one host in a hundred loses or regains its carrier."""
    _run([_PORTS], {"up": up})


def analyse() -> None:
    """What autovacuum does on a running service, at once."""
    _run(["VACUUM ANALYZE"], None)


def _run(statements: Iterable[str], values: Mapping[str, str | int | bool] | None) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement, values)
