"""Operators' policies in addition to the site file's: refusals, and effects of an import."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from backstay.accounts.models import Agent
from backstay.api.tests.world import bearer, person, site_file
from backstay.core.errors import Refused
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import Node
from backstay.policy.models import FailoverPolicy, Path
from backstay.policy.selectors import watches
from backstay.rollout.models import Intended
from backstay.rollout.tests.cluster import Cluster
from backstay.rollout.tests.in_force import bring_about
from backstay.telemetry.models import Event

BODY: dict[str, Any] = {
    "site": "argonne",
    "name": "sp-fast",
    "nodes": {"role": "compute"},
    "prefix": "10.9.0.0/24",
    "gateways": ["grf1", "atmgw"],
    "detection": "checker",
    "timers": {"interval_ms": 20, "revert": "manual"},
    "target": "10.9.0.1",
    "note": "for the testbed",
}


class Api:
    """Calls as an operator."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._headers = bearer(person("oli", Role.OPERATOR, "argonne"))

    def __call__(self, method: str, path: str, status: int, body: Any = None) -> Any:
        send = getattr(self._client, method)
        more = {} if body is None else {"data": body, "content_type": "application/json"}
        reply = send(f"/api/v1/{path}", headers=self._headers, **more)
        assert reply.status_code == status, reply.content
        return reply.json() if reply.content else None


@pytest.fixture
def cluster(db: None) -> Cluster:
    cluster = Cluster.make()
    cluster.world.describe()
    cluster.world.all_paths()
    return cluster


@pytest.fixture
def api(cluster: Cluster, client: Client) -> Api:
    return Api(client)


def file_policy(name: str = "sp-default") -> int:
    return FailoverPolicy.objects.get(name=name).pk


def test_policy_is_created_for_a_group_and_monitored_at_once(api: Api, cluster: Cluster) -> None:
    before = Agent.objects.get(node="sp01").generation
    answer = api("post", "failover-policies", 201, BODY)
    assert answer["nodes"] == cluster.names
    assert (answer["origin"], answer["group"]["role"], answer["timers"]["interval_ms"]) == (
        "operator",
        "compute",
        20,
    )
    assert answer["progress"] == {
        "managed": 4,
        "not_managed": [],
        "confirmed": 0,
        "outdated": 0,
        "text": "not deployed (monitor only)",
    }
    assert Agent.objects.get(node="sp01").generation > before
    watch = {item.policy: item for item in watches(cluster.world.node("sp01"))}["sp-fast"]
    assert (watch.probe_interval_ms, watch.target) == (20, "10.9.0.1")
    assert Event.objects.get(kind="policy.created").message == "oli created the failover policy sp-fast"
    assert api("get", f"failover-policies/{answer['id']}", 200)["name"] == "sp-fast"


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"name": "sp default"}, "name", "letters, digits"),
        ({"name": "sp-default"}, "name", "choose another name"),
        ({"prefix": "10.9.0.1/24"}, "prefix", "write 10.9.0.0/24"),
        ({"prefix": "everywhere"}, "prefix", "is not a prefix"),
        ({"target": "10.8.0.1"}, "target", "is not inside 10.9.0.0/24"),
        ({"gateways": ["grf1", "grf9"]}, "gateways", "no node grf9"),
        ({"gateways": ["grf1", "grf1"]}, "gateways", "grf1 is listed twice"),
        ({"gateways": []}, "gateways", "at least one gateway"),
        ({"nodes": {}}, "nodes", "Select nodes"),
        ({"nodes": {"names": ["sp*", "qp*"]}}, "nodes.names", "qp*"),
        ({"nodes": {"role": "compute", "labels": {"quadrant": "9"}}}, "nodes", "No node matches"),
        ({"nodes": {"role": "compute", "number_from": 9, "number_to": 3}}, "nodes.number_to", "9 to 3"),
        ({"stripe": {"gateways": ["grf1", "atmgw"]}}, "gateways", "leave this list empty"),
        ({"gateways": [], "stripe": {"gateways": ["grf1"]}}, "stripe.gateways", "at least two"),
        (
            {"gateways": [], "stripe": {"gateways": ["grf1", "atmgw"], "backups": 3}},
            "stripe.backups",
            "at most 1 backups",
        ),
        (
            {"gateways": [], "stripe": {"gateways": ["grf1", "atmgw"], "by_label": "quadrant"}},
            "stripe.by_label",
            "quadrant",
        ),
        ({"return_path": {"routers": ["sp99"], "prefix": "10.1.0.0/16"}}, "return_path.routers", "sp99"),
        (
            {"return_path": {"routers": ["router"], "prefix": "10.1.0.0/16", "target": "10.2.0.1"}},
            "return_path.target",
            "is not inside",
        ),
    ],
)
def test_every_error_names_its_field_and_the_next_step(
    api: Api, change: dict[str, Any], field: str, message: str
) -> None:
    answer = api("post", "failover-policies", 400, {**BODY, **change})
    assert message in answer["fields"][field]
    assert message in answer["message"]
    assert not FailoverPolicy.objects.filter(name="sp-fast").exists()


def test_site_file_policy_cannot_be_changed_or_removed_by_api(api: Api) -> None:
    ident = file_policy()
    answer = api("put", f"failover-policies/{ident}", 422, {**BODY, "name": "sp-default"})
    assert "The site file owns sp-default" in answer["message"]
    assert "another name" in answer["message"]
    refused = api("delete", f"failover-policies/{ident}", 422)["message"]
    assert "import" in refused
    assert api("get", f"failover-policies/{ident}", 200)["deletion_refusal"] == refused
    assert FailoverPolicy.objects.filter(pk=ident).exists()


def test_policy_cannot_change_its_site(api: Api) -> None:
    ident = api("post", "failover-policies", 201, BODY)["id"]
    assert api("put", f"failover-policies/{ident}", 400, {**BODY, "site": "elsewhere"})["fields"]["site"]


def test_edit_keeps_the_history_of_remaining_paths(api: Api, cluster: Cluster) -> None:
    ident = api("post", "failover-policies", 201, BODY)["id"]
    kept = Path.objects.get(policy=ident, node__name="sp01").pk
    answer = api("put", f"failover-policies/{ident}", 200, {**BODY, "nodes": {"names": ["sp01", "sp02"]}})
    assert answer["nodes"] == ["sp01", "sp02"]
    assert Path.objects.get(policy=ident, node__name="sp01").pk == kept
    answer = api("put", f"failover-policies/{ident}", 200, {**BODY, "nodes": {}, "name": "sp-none"})
    assert (answer["nodes"], answer["name"]) == ([], "sp-none")
    assert api("delete", f"failover-policies/{ident}", 204) is None
    assert not Path.objects.filter(policy=ident).exists()


def test_deployed_policy_cannot_be_deleted_or_renamed(api: Api, cluster: Cluster) -> None:
    ident = api("post", "failover-policies", 201, BODY)["id"]
    route = {"policy": "sp-fast", "prefix": "10.9.0.0/24", "hops": [], "detection": "checker"}
    routing = {"engine": {"kind": "kernel", "config": "/x"}, "routes": [route], "files": []}
    node = cluster.world.node("sp02")
    Intended.objects.create(node=node, revision=1, routing=routing, at=cluster.now)
    shown = api("get", f"failover-policies/{ident}", 200)
    assert (shown["deployed"], shown["removal"], shown["deletion_refusal"]) == (True, None, "")
    answer = api("delete", f"failover-policies/{ident}", 202)
    assert (answer["kind"], answer["policies"], answer["title"]) == ("retire", ["sp-fast"], "Remove sp-fast")
    assert api("get", f"failover-policies/{ident}", 200)["removal"] == answer["id"]
    refused = api("put", f"failover-policies/{ident}", 422, {**BODY, "name": "sp-slow"})
    assert "sp-fast is deployed on 1 node (sp02)" in refused["message"]
    api("put", f"failover-policies/{ident}", 422, {**BODY, "name": "sp-slow"})
    assert api("get", f"failover-policies/{ident}", 200)["progress"]["outdated"] == 1


def test_progress_counts_nodes_with_the_current_version(api: Api, cluster: Cluster) -> None:
    bring_about(cluster)
    answer = api("get", f"failover-policies/{file_policy()}", 200)["progress"]
    assert (answer["confirmed"], answer["outdated"], answer["text"]) == (4, 0, "confirmed on 4 of 4 nodes")
    Node.objects.filter(name="sp04").update(routing={})
    FailoverPolicy.objects.filter(name="sp-default").update(probe_interval_ms=100)
    cluster.world.site.version += 1
    cluster.world.site.save()
    answer = api("get", f"failover-policies/{file_policy()}", 200)["progress"]
    assert (answer["confirmed"], answer["outdated"], answer["not_managed"]) == (0, 4, ["sp04"])


def test_import_updates_only_group_members_of_operator_policies(api: Api, cluster: Cluster) -> None:
    ident = api("post", "failover-policies", 201, BODY)["id"]
    import_text(site_file(6), "argonne.yaml", cluster.now)
    policy = FailoverPolicy.objects.get(pk=ident)
    names = sorted(policy.paths.values_list("node__name", flat=True))
    assert names == ["sp01", "sp02", "sp03", "sp04", "sp05", "sp06"]
    assert (policy.origin, policy.timers["interval_ms"]) == ("operator", 20)


def test_site_file_with_an_operator_policys_name_is_refused(api: Api, cluster: Cluster) -> None:
    api("post", "failover-policies", 201, BODY)
    text = site_file(4).replace('"router-to-sp"', '"sp-fast"')
    with pytest.raises(Refused, match="Operators own sp-fast"):
        import_text(text, "argonne.yaml", cluster.now)


def test_site_file_that_drops_a_deployed_policy_is_refused(api: Api, cluster: Cluster) -> None:
    bring_about(cluster)
    text = site_file(4).replace('"sp-default"', '"sp-other"')
    with pytest.raises(Refused, match="drops sp-default, which 4 nodes still have: retire sp-default first"):
        import_text(text, "argonne.yaml", cluster.now)
    answer = api("delete", f"failover-policies/{file_policy()}", 202)
    assert (answer["kind"], answer["title"]) == ("retire", "Remove sp-default")
    Intended.objects.all().delete()
    import_text(text, "argonne.yaml", cluster.now)
    assert not FailoverPolicy.objects.filter(name="sp-default").exists()


def test_group_preview_counts_members_and_names_those_that_plans_skip(api: Api, cluster: Cluster) -> None:
    def preview(gateways: tuple[str, ...] = (), **group: Any) -> Any:
        body = {"site": "argonne", "nodes": group, "gateways": gateways}
        return api("post", "failover-policies/group-preview", 200, body)

    answer = preview(("grf1", "atmgw"), names=["sp0[12]", "grf1"])
    assert (answer["total"], answer["nodes"]) == (3, ["grf1", "sp01", "sp02"])
    assert (answer["not_managed_total"], answer["not_managed"]) == (1, ["grf1"])
    assert answer["own_gateways"] == ["grf1"]
    assert {"compute", "gateway"} <= set(answer["roles"])
    assert preview()["total"] == 0
    assert preview(names=["sp*"], role="gateway")["nodes"] == []


def test_stripe_is_previewed_without_being_stored(api: Api, cluster: Cluster) -> None:
    body = {**BODY, "gateways": [], "stripe": {"gateways": ["grf1", "atmgw"], "backups": 1}}
    answer = api("post", "failover-policies/stripe-preview", 200, body)
    assert [(item["gateway"], len(item["nodes"])) for item in answer["shares"]] == [("grf1", 2), ("atmgw", 2)]
    assert answer["shares"][0]["if_lost"] == {"atmgw": 2}
    assert answer["imbalance"] == 0
    assert not FailoverPolicy.objects.filter(name="sp-fast").exists()
    assert "stripe" in api("post", "failover-policies/stripe-preview", 400, BODY)["fields"]
