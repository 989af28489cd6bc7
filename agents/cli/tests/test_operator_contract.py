"""Every request and field of the program is in the API document; every command is tested."""

import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from backstay_cli.cli import GROUPS, READS, VERBS
from backstay_cli.command_groups import EARLIER, NOUNS
from backstay_testing.cli import throughput
from backstay_testing.cli.api_fake import Examples
from backstay_testing.cli.fake_server import Asked, Run, World
from backstay_testing.cli.rollout import DIGEST, change, drift

DOCUMENT = Path(__file__).parents[3] / "backend/openapi.json"
FOLDER = Path(__file__).parent / "notifications"
TRIED = [
    "status", "paths --policy sp-default --node sp01 --state ok", "links --node sp01 --state ok", "gateways",
    "find grf1 --limit 3",
    "route sp01 origin1 --failed node:grf1", "route sp01 origin1 --each-failure",
    "policies", "policies outages sp-default --by month --since now-1y", "plan sp-default --ticket N",
    "plan show 42", "plan again 42", "diff 42", f"approve 42 --digest {DIGEST}", "apply 42", "confirm 42",
    "roll-back 42 --reason why", "discard 42", "undo 42 --reason why", "retire sp-default",
    "changes --state done --policy sp-default", "change 42",
    "arp", "arp sp-switch --rule", "arp sp-switch --plan",
    "drift --reboot", "drift --restore sp05", "move sp01 atmgw", "move sp01 --back", "drills --policy x",
    "hold sp01 30m --reason x", "hold sp01 --end", "holds --node sp01 --all",
    "drills --state passed", "drills 7", "drills 7 --cancel", "drill sp-default --node sp01",
    "events --kind x --node sp01 --since now-1h", "events --follow", "events --grouped",
    "devices inspect sp01", "devices record sp01", "devices recordings sp01", "devices recordings sp01 3",
    "neighbours --node sp01", "metrics sp01 --search drops --warnings",
    "neighbours 10.1.0.7 --at now-1h", "neighbours --duplicates", "sign-in", "sign-out", "circuits",
    "circuits --at now-7d",
    "export --link 1 --format parquet --level 1h", "exports", "exports 5", "exports 5 --delete",
    "incidents", "incidents --all", "incidents 7", "acknowledge 7 --comment x", "snooze 7 2h",
    "snooze matching 2h --kind port_down --node sp01 --search x", "assign 7 ada", "assign matching --nobody",
    "comment 7 found", "windows list --state active", "windows show 3", "windows end 3", "windows remove 3",
    "windows new cables --for site --for node:sp01 --rule FREQ=DAILY --lasts 2h",
    "windows import CALENDAR --for site", "windows feed on-call", "windows feeds --delete 4",
    "hold-time --gateway hsg-sdsc --pps 10 --size 65536 --blocking 20 --hold 10 --loss 0.01 --duty 0.5",
    "hold-time --timeout 500 --deadline 50",
    "clocks", "extension-nodes grf1", "extension-nodes --attach grf2 --place 1/16",
    "circuits plan --group nodes=3 --hub grf1", "manage-again sp01", "saved-state", "saved-state --node sp01",
    "notify channels", "notify channels hook --test", "notify channels hook --remove", "notify routes",
    "notify routes ops --remove", "notify schedules primary", "notify schedules primary --remove",
    "notify devices", "notify devices 5 --remove",
    "notify deliveries --status failed --channel hook", "notify deliveries 9",
    f"notify save channel {FOLDER}/hook.json", f"notify save route {FOLDER}/route.json",
    f"notify save schedule {FOLDER}/schedule.json",
    "wallboards list --state active", "wallboards show 6", "wallboards renew 6", "wallboards revoke 6",
    "wallboards new hall --page map --page incidents --every 30s --theme light --text large --expires 90d",
    "wallboards change 6 --name hall --expires never",
    "rules list --group load", "rules show saturation", "rules port sp01:css0",
    "rules set saturation raise_at=0.8 --severity critical",
    "rules set saturation raise_at=0.8 --role gateway", "rules reset saturation",
    "rules reset saturation --role gateway", "rules preview saturation raise_at=0.7", "rules export",
    "rules unmeasured saturation", "limits list", "limits set hot ib.symbol_errors --above 1",
    "limits set new ib.symbol_errors --below 1 --preview", "limits remove hot",
    "tests plans", "tests plan nightly", "tests new fast --from sp01 --to sp02 --streams 1,4 --buffer 64K",
    "tests new nightly --from sp01 --to sp02 --window 64K --quiet 50 --replace", "tests remove nightly",
    "tests run nightly", "tests runs --plan nightly --state current", "tests runs --papers", "tests show 12",
    "tests show nightly --cell 0", "tests show cern96.fig4", "tests cancel 12", "tests compare 11 12",
    "n-1 --verdict would_not_hold --shared --limit 20",
    "what-if --kill grf1 --kill link:7 --growth 30 --as-of now-7d",
    "advice", "track-record --state measured --limit 20",
    "forecast atmgw:at0 --node atmgw --fabric atm --state within_year --limit 20",
    "tests export 12 --csv", "tests export 12 --json",
    "topology", "topology --as-of now-1h", "incidents list --as-of now-1h",
    "storage", "health", "whoami", "status --brief", "status --as-of now-1h", "agents list",
    "agents enrol sp01", "agents revoke text", "arp list", "arp policies", "arp show text", "arp settings",
    "arp apply -f ARPFILE", "arp delete text", "changes list", "changes show 42", "changes node 42 sp01",
    "circuits list --node sp01 --as-of now-7d", "circuits show text", "circuits hand-over grf1",
    "clocks list", "devices list --kind host", "devices list --as-of now-1h", "devices show sp01",
    "devices metrics sp01", "devices history sp01 ib.symbol_errors --since now-1d", "devices metric-names",
    "devices manage-again sp01", "fabrics health cables", "fabrics health crossbar",
    "drift list", "drills list", "drills show 7", "drills start sp-default", "drills cancel 7",
    "events differences --since yesterday", "events list --since yesterday --until now",
    "events groups --until now", "exports list", "exports show 5",
    "exports new --link 1", "exports delete 5", "extension-nodes list", "extension-nodes show grf1",
    "fabrics list", "fabrics show cables", "fabrics history cables --since now-1d --points 50",
    "gateways list", "holds list", "holds set sp01 30m --reason x", "incidents list --node sp01 --owner ada",
    "incidents show 7", "incidents ack 7", "incidents snooze 7 2h", "incidents assign 7 ada",
    "incidents comment 7 found", "links list", "links list --as-of now-1h", "links show 1",
    "links history 1 --since now-1d",
    "limits show hot", "neighbours list --node sp01 --mac 02:00:00:00:00:01", "neighbours tables",
    "neighbours history 10.1.0.7 --as-of 13:50", "neighbours duplicates", "notify people", "paths list",
    "paths list --as-of yesterday", "paths groups --as-of now-1h",
    "paths groups --policy sp-default --node sp01 --state ok",
    "paths show sp01", "paths history --since now-1d", "paths decisions sp01 --since now-1d",
    "paths move sp01 --back",
    "policies list", "policies show sp-default", "policies export sp-default", "policies apply -f POLICYFILE",
    "policies preview -f POLICYFILE", "policies delete sp-default", "ports list --sort -utilisation",
    "ports show sp01:css0",
    "ports history sp01:css0 --since now-6h --points 10", "ports trends sp01 --since now-6h",
    "saved-state list", "sites list", "sites import POLICYFILE --dry-run",
    "windows change 3 --reason longer --lasts 3h", "drift sp05",
    "notify save channel CHANNELFILE", "notify save route ROUTEFILE", "notify save schedule SCHEDULEFILE",
    "notify channels hook", "notify routes ops", "limits set fresh ib.symbol_errors --below 1",
    "windows feeds",
    "exports show 5 --output TARGET", "devices recordings sp01 3 --output TARGET", "changes show 43",
    "tests grids", "tests show 14", "views list --of links --search hot", "views show text",
    "views delete text", "views save new --of links --filter state=ok --sort -name --column name --share",
    "views save text --of links",
]  # fmt: skip


def test_every_command_is_documented() -> None:
    answer = (DOCUMENT.parents[1] / "docs/operator.md").read_text()
    assert [verb for verb in VERBS if not re.search(rf"[`y] ?{verb}\b", answer)] == []
    assert [verb for verb in grouped() if not re.search(rf"`{verb}\b", answer)] == []


def test_runbooks_use_only_commands_and_options_that_exist(run: Run) -> None:
    known = "\n".join(path.read_text() for path in (DOCUMENT.parents[1] / "docs/runbooks").glob("*.md"))
    lines = re.findall(r"(?:^|`)backstay ((?:[a-z-]+)[^`#\n]*)", known, re.MULTILINE)
    commands = {tuple(line.split()) for line in lines}
    assert len(commands) > 20
    for arguments in sorted(commands):
        group = len(arguments) > 1 and f"{arguments[0]} {arguments[1]}" in grouped()
        noun = NOUNS.get(arguments[0])
        implied = () if noun is None else ("list",) if noun.earlier is None else (EARLIER,)
        verb = arguments[:2] if group else (arguments[0], *implied)
        done = run(*verb, "--help")
        assert done.code == 0, arguments
        assert [item for item in arguments if item.startswith("--") and item not in done.out] == [], arguments


def grouped() -> set[str]:
    """Commands of a group or a noun, such as `tests run` and `paths list`."""
    verbs = {f"{name} {verb}" for name, (_, verbs) in GROUPS.items() for verb in verbs}
    return verbs | {f"{name} {verb}" for name, noun in NOUNS.items() for verb in {**noun.reads, **noun.acts}}


def document() -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(DOCUMENT.read_text())
    return answer


ASKED: dict[str, list[Asked]] = {}


def asked_of(world: World, run: Run, monkeypatch: pytest.MonkeyPatch, folder: Path) -> dict[str, list[Asked]]:
    """The requests of every command; made once, since they take half a minute."""
    if ASKED:
        return ASKED
    files = {
        "CALENDAR": ("planner.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n"),
        "POLICYFILE": (
            "policy.yaml",
            "name: new\nprefix: 0.0.0.0/0\nnodes: {names: [sp*]}\nstripe: {gateways: [grf1, atmgw]}\n"
            "---\nname: sp-default\nnote: changed\n",
        ),
        "CHANNELFILE": ("channel.json", '{"name": "new", "kind": "webhook"}'),
        "ROUTEFILE": ("route.json", '{"name": "ops"}'),
        "SCHEDULEFILE": ("schedule.json", '{"name": "new"}'),
        "TARGET": ("target", ""),
        "ARPFILE": (
            "arp.json",
            '[{"fabric": "new", "mode": "on"}, {"fabric": "text", "note": "changed"}]',
        ),
    }
    for name, text in files.values():
        (folder / name).write_text(text)
    Examples().fill(world)
    world.answers["GET", "/live"] = (200, b"event: hello\ndata: {}\n\n")
    world.answers["GET", "/changes/42"] = change("confirming")
    del world.answers["GET", "/circuits"]
    large = change("done").model_dump(mode="json") | {"id": 43, "has_all_members": False}
    large["plan"] = {**large["plan"], "is_whole": False}
    world.answers["GET", "/recordings/3/download"] = (200, b"# a file\n")
    world.answers["GET", "/changes/43"] = large
    world.answers["GET", "/changes/43/plan"] = large["plan"]
    world.answers["GET", "/changes/43/nodes"] = []
    world.answers["GET", "/test-runs/14"] = throughput.mesh()
    world.answers["GET", "/fabrics"] = [{"id": 61, "name": "cables"}, {"id": 62, "name": "crossbar"}]
    world.answers["GET", "/fabrics/61"] = {"kind": "infiniband"}
    world.answers["GET", "/fabrics/62"] = {"kind": "hippi"}
    world.answers["GET", "/drift"] = [drift("sp05")]
    ends = {"site": "argonne", "source": "sp01", "destination": "origin1"}
    world.answers["GET", "/routes/between"] = {**ends, "routes": []}

    def leave(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("backstay_cli.commands.events.time.sleep", leave)
    failed: dict[str, tuple[int, str]] = {}
    for line in TRIED:
        monkeypatch.setattr("sys.stdin", Typed())
        paths = {placeholder: str(folder / name) for placeholder, (name, _) in files.items()}
        done = run("--site", "argonne", *(paths.get(text, text) for text in line.split()))
        ASKED[line], world.asked = world.asked, []
        if done.code not in {0, 1}:
            failed[line] = (done.code, done.err[-300:])
    assert failed == {}
    return ASKED


class Typed:
    """A token on standard input."""

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        return "a-token-of-the-tests\n"


def test_every_request_is_in_the_api_document(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer = document()
    # Path parameters are numbers or names here.
    paths = {re.sub(r"\{\w+\}", "{}", path): operations for path, operations in answer["paths"].items()}
    missing = set()
    for asked in chain.from_iterable(asked_of(world, run, monkeypatch, tmp_path).values()):
        path = "/api/v1" + re.sub(
            r"/(\d+|\w+\.\w+|(?<=/agents/)text|(?<=/rules/)[a-z]+)(?=/|$)",
            "/{}",
            asked.path,
        )
        operation = paths.get(path, {}).get(asked.method.lower())
        if operation is None:
            missing.add(f"{asked.method} {path}")
            continue
        known = {item["name"] for item in operation.get("parameters", [])}
        missing |= {f"{asked.method} {path}?{name}" for name in asked.query if name not in known}
        fields = _body_fields(answer, operation)
        missing |= {f"{asked.method} {path} {name}" for name in asked.body or () if name not in fields}
    assert not missing


def test_repeatable_commands_only_read_and_a_past_time_reaches_every_operation_that_takes_one(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reads = {f"{name} {verb}" for name, noun in NOUNS.items() for verb in noun.reads}
    reads |= {f"{group} {name}".strip() for group, names in READS.items() for name in names}
    asked = asked_of(world, run, monkeypatch, tmp_path)
    assert {
        line
        for line, requests in asked.items()
        if {line.split()[0], " ".join(line.split()[:2])} & reads
        and any(request.method != "GET" for request in requests)
    } <= ACTING
    timed = {
        request.path
        for line in asked
        if "--as-of" in line
        for request in asked[line]
        if "at" in request.query
    }
    accepted = {
        path.removeprefix("/api/v1")
        for path, operations in document()["paths"].items()
        for parameter in operations.get("get", {}).get("parameters", [])
        if parameter["name"] == "at"
    }
    assert accepted == timed


ACTING = {
    "notify channels hook --test", "notify channels hook --remove", "notify routes ops --remove",
    "notify schedules primary --remove", "notify devices 5 --remove", "windows feeds --delete 4",
}  # fmt: skip
"""Commands that read unless an option makes them act; repeated, the client refuses that."""
NOT_FOR_PEOPLE = {
    "get_alive": "a load balancer's probe; `backstay health` reads the whole state",
    "get_calendar": "read by calendar programs at a secret address; `windows feed` makes the address",
    "get_current_wallboard": "read by a wallboard's own screen with its link",
    "get_capacity_failure": "`what-if --kill` shows the same for the present moment",
    "list_annotations": "marks of charts; `events` lists them",
    "create_push_device": "a browser's subscription; `notify devices` lists and removes them",
    "receive_alerts": "posted by Alertmanager",
    "sign_in": "a browser's session; the command line has a token",
    "sign_out": "ends a browser's session; `backstay sign-out` forgets the token",
}
"""Operations without a command, each with the reason."""
LEAST_SHARE = 0.95


def test_at_least_95_percent_of_the_api_have_a_command(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, record_property: Any
) -> None:
    examples = Examples()
    used = {
        operation["operationId"]
        for asked in chain.from_iterable(asked_of(world, run, monkeypatch, tmp_path).values())
        if (operation := examples.operation(asked)) is not None
    }
    every = {
        operation["operationId"]
        for path, operations in document()["paths"].items()
        for method, operation in operations.items()
        if method in {"get", "post", "put", "delete", "patch"} and not path.startswith("/api/agent/")
    }
    without = every - used
    share = 1 - len(without) / len(every)
    record_property("api_share", f"{share:.1%}")
    print(f"commands reach {len(used)} of {len(every)} operations ({share:.1%})")
    print("without a command:", *sorted(without - set(NOT_FOR_PEOPLE)))
    assert without == set(NOT_FOR_PEOPLE)
    assert share >= LEAST_SHARE


def _body_fields(document_of_api: dict[str, Any], operation: dict[str, Any]) -> set[str]:
    names = re.findall(r"#/components/schemas/([^\"]+)", json.dumps(operation.get("requestBody", {})))
    return {field for name in names for field in document_of_api["components"]["schemas"][name]["properties"]}


def test_every_command_is_tested() -> None:
    firsts = {line.split()[0] for line in TRIED}
    assert firsts == set(VERBS) | set(GROUPS) | set(NOUNS)
    assert grouped() - {" ".join(line.split()[:2]) for line in TRIED} == set()
