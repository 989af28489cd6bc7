"""`make test-images`: build every image of docker-compose.yml, and start the services of the backend.

No Docker engine is needed: `buildah --isolation chroot` builds the repository's own Dockerfiles. Only their
build argument BASE differs: a Debian made here by debootstrap replaces the pinned image, because a registry
may be out of reach. The services then run with the commands, environment, secrets and health checks of
docker-compose.yml in a network namespace of their own. Not tested, because it needs an engine: read-only
roots, limits and the bridge network. A service with `read_only` that writes outside its volumes and tmpfs
fails, though.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".backstay" / "images"
SUITE = "bookworm"
MIRROR = [mirror] if (mirror := os.environ.get("BACKSTAY_DEBIAN_MIRROR")) else []
"""Empty: debootstrap's own default."""
BASE = "localhost/backstay-base"
NAMESPACE = "backstay-images"
HEALTHY_S, BUILD_S, STEP_S = 300.0, 1800.0, 180.0
STARTED = ("postgres", "redis", "migrate", "web", "ingest", "worker", "sender", "beat")
"""In the order of their dependencies. The lab and its agents need an engine; only their programs are run."""
CERTIFICATES = Path("/usr/local/share/ca-certificates")
"""This machine's own authorities, for packages that come through a proxy."""
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"

Service = Mapping[str, Any]


class ImageError(Exception):
    """A build or a start failed; the message says which."""


def report(text: str) -> None:
    """One line of progress."""
    print(f"images: {text}", flush=True)


def run(argv: Sequence[str], *, seconds: float = STEP_S, log: Path | None = None) -> str:
    """The standard output; ImageError with the last lines of the output if the program fails."""
    done = subprocess.run(argv, capture_output=True, text=True, timeout=seconds, check=False, cwd=ROOT)
    if log is not None:
        log.write_text(done.stdout + done.stderr)
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        raise ImageError(f"{' '.join(argv[:6])} ... ended with status {done.returncode}\n{tail}")
    return done.stdout


def buildah(*arguments: str, seconds: float = STEP_S, log: Path | None = None) -> str:
    """Buildah with storage of our own."""
    storage = ["--root", str(FOLDER / "storage"), "--runroot", str(FOLDER / "run")]
    return run(["buildah", *storage, *arguments], seconds=seconds, log=log)


def make_base() -> None:
    """Debian from its archive as the image BASE, with this machine's certificate authorities."""
    tree = FOLDER / "base"
    if not (tree / "etc" / "debian_version").exists():
        shutil.rmtree(tree, ignore_errors=True)
        report(f"debootstrap {SUITE}")
        new = FOLDER / "base.new"
        shutil.rmtree(new, ignore_errors=True)
        argv = ["debootstrap", "--variant=minbase", SUITE, str(new), *MIRROR]
        run(argv, seconds=BUILD_S, log=FOLDER / "debootstrap.log")
        new.rename(tree)
    # debootstrap leaves it mounted if a process of its own still used it at the end.
    for place in ("proc", "sys"):
        if os.path.ismount(tree / place):
            run(["umount", str(tree / place)])
    own = tree / CERTIFICATES.relative_to("/")
    if CERTIFICATES.is_dir():
        shutil.copytree(CERTIFICATES, own, dirs_exist_ok=True)
    container = buildah("from", "scratch").strip()
    buildah("add", "--quiet", container, str(tree), "/")
    # npm reads no system bundle without a setting.
    buildah(
        "config",
        "--env",
        f"NODE_EXTRA_CA_CERTS={BUNDLE}",
        "--env",
        "DEBIAN_FRONTEND=noninteractive",
        container,
    )
    buildah("commit", "--quiet", container, BASE)
    buildah("rm", container)


def builds(services: Mapping[str, Service]) -> dict[str, tuple[str, str]]:
    """Image -> (Dockerfile, target) of every service."""
    return {
        service["image"]: (service["build"]["dockerfile"], service["build"]["target"])
        for service in services.values()
    }


def build(image: str, dockerfile: str, target: str) -> None:
    """Build one image from the repository, as docker compose does."""
    began = time.monotonic()
    argv = ["build", "--isolation", "chroot", "--build-arg", f"BASE={BASE}", "--pull-never", "--layers"]
    argv += ["--ignorefile", ".dockerignore", "--target", target, "--file", dockerfile, "--tag", image, "."]
    buildah(*argv, seconds=BUILD_S, log=FOLDER / f"build-{image}.log")
    report(f"{image}: built in {time.monotonic() - began:.0f} s")


@dataclass(slots=True)
class Container:
    """A service's working container."""

    name: str
    service: Service
    id: str
    root: Path
    volumes: dict[str, Path]
    process: subprocess.Popen[bytes] | None = None

    def argv(self, command: Sequence[str]) -> list[str]:
        """`command` inside the container, in the services' network namespace."""
        argv = ["ip", "netns", "exec", NAMESPACE, "buildah"]
        argv += [
            "--root",
            str(FOLDER / "storage"),
            "--runroot",
            str(FOLDER / "run"),
            "run",
            "--isolation",
            "chroot",
        ]
        argv += ["--cap-drop", "all"] if self.service.get("cap_drop") == ["ALL"] else []
        argv += [f"--cap-add={name}" for name in self.service.get("cap_add", [])]
        for name, value in self.service.get("environment", {}).items():
            argv += ["--env", f"{name}={compose_default(str(value))}"]
        for secret in self.service.get("secrets", []):
            argv += ["--volume", f"{FOLDER / 'secrets' / secret}:/run/secrets/{secret}:ro"]
        for target, source in self.volumes.items():
            argv += ["--volume", f"{source}:{target}"]
        return [*argv, self.id, "--", *command]

    def main(self) -> list[str]:
        """The command of the service, after the entrypoint of its image."""
        config = json.loads(buildah("inspect", "--type", "image", self.service["image"]))["OCIv1"]["config"]
        return [*config.get("Entrypoint", []), *(self.service.get("command") or config.get("Cmd", []))]

    def healthcheck(self) -> list[str]:
        """The command of its health check; empty without one."""
        test = list(self.service.get("healthcheck", {}).get("test", []))
        # In a compose file, two dollars are one.
        test = [part.replace("$$", "$") for part in test]
        return ["sh", "-c", test[1]] if test[:1] == ["CMD-SHELL"] else test[1:]


def compose_default(value: str) -> str:
    """`${NAME:-default}` of a compose file is its default here."""
    if value.startswith("${") and ":-" in value:
        return value[2:-1].partition(":-")[2]
    return value


def storage_of(service: Service) -> dict[str, Path]:
    """Mount point -> folder here, of a service's named volumes."""
    found = {}
    for entry in service.get("volumes", []):
        name, target = entry.split(":")[:2]
        found[target] = FOLDER / "volumes" / name
    return found


def container(name: str, service: Service) -> Container:
    """A working container of a service, whose named volumes start with the image's content and owner."""
    hosts = [part for other in STARTED for part in ("--add-host", f"{other}:127.0.0.1")]
    made = buildah("from", "--pull-never", *hosts, service["image"]).strip()
    root = Path(buildah("mount", made).strip())
    volumes = storage_of(service)
    for target, source in volumes.items():
        if not source.exists():
            source.parent.mkdir(exist_ok=True)
            inside = root / target.lstrip("/")
            if inside.is_dir():
                run(["cp", "-a", str(inside), str(source)])
            else:
                source.mkdir()
    return Container(name, service, made, root, volumes)


def start(item: Container) -> None:
    """Start a service in the background; its output goes to its log."""
    with (FOLDER / f"run-{item.name}.log").open("wb") as log:
        item.process = subprocess.Popen(
            item.argv(item.main()), stdout=log, stderr=log, start_new_session=True
        )


def await_healthy(item: Container) -> None:
    """Wait for a one-off service to end well, or for a health check to pass."""
    began = time.monotonic()
    check = item.healthcheck()
    assert item.process
    if item.service.get("restart") == "no":
        if item.process.wait(HEALTHY_S) != 0:
            raise ImageError(f"{item.name} failed{tail_of(item.name)}")
        report(f"{item.name}: ended well after {time.monotonic() - began:.1f} s")
        return
    while subprocess.run(item.argv(check), capture_output=True, timeout=STEP_S, check=False).returncode:
        if item.process.poll() is not None:
            raise ImageError(f"{item.name} ended with status {item.process.returncode}{tail_of(item.name)}")
        if time.monotonic() > began + HEALTHY_S:
            raise ImageError(f"{item.name} is not healthy after {HEALTHY_S:.0f} s{tail_of(item.name)}")
        time.sleep(0.5)
    report(f"{item.name}: healthy after {time.monotonic() - began:.1f} s")


def tail_of(name: str) -> str:
    """The last lines that a service printed."""
    lines = (FOLDER / f"run-{name}.log").read_text(errors="replace").strip().splitlines()[-15:]
    return "\n" + "\n".join(lines)


def check_unprivileged(item: Container) -> None:
    """The image's user is not root."""
    config = json.loads(buildah("inspect", "--type", "image", item.service["image"]))["OCIv1"]["config"]
    if config.get("User", "") in {"", "root", "0"}:
        raise ImageError(f"{item.name} runs as root")


def check_unwritten(item: Container, since: float) -> None:
    """A service with a read-only root wrote only to its volumes and tmpfs."""
    if not item.service.get("read_only"):
        return
    kept = [
        *item.volumes,
        "/run/secrets",
        *(entry.partition(":")[0] for entry in item.service.get("tmpfs", [])),
    ]
    # Mount points and files that buildah makes for each container.
    kept += ["/proc", "/sys", "/dev", "/etc/hosts", "/etc/resolv.conf", "/run/.containerenv", "/etc/hostname"]
    written = []
    for path in item.root.rglob("*"):
        inside = f"/{path.relative_to(item.root)}"
        is_ours = path.is_file() and not path.is_symlink() and not inside.startswith(tuple(kept))
        if is_ours and path.stat().st_ctime > since:
            written.append(inside)
    if written:
        raise ImageError(f"{item.name} has a read-only root but writes {', '.join(written[:5])}")


@contextlib.contextmanager
def network() -> Iterator[None]:
    """A network namespace with a loopback device only."""
    run(["ip", "netns", "add", NAMESPACE])
    try:
        run(["ip", "-n", NAMESPACE, "link", "set", "lo", "up"])
        yield
    finally:
        run(["ip", "netns", "delete", NAMESPACE])


def stop(items: Sequence[Container]) -> None:
    """End the services in reverse order, by the process group of each."""
    for item in reversed(items):
        if item.process is None or item.process.poll() is not None:
            continue
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(item.process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                item.process.wait(15)
                break


def make_secrets() -> None:
    """The secrets of docker-compose.yml, as a deployment makes them."""
    shutil.rmtree(FOLDER / "secrets", ignore_errors=True)
    shutil.rmtree(FOLDER / "volumes", ignore_errors=True)
    run([".ci/compose-secrets", str(FOLDER / "secrets")])
    (FOLDER / "secrets").chmod(0o755)


def start_services(services: Mapping[str, Service]) -> None:
    """Start the backend as docker compose would, check each service, and stop it."""
    items: list[Container] = []
    make_secrets()
    with network():
        try:
            for name in STARTED:
                item = container(name, services[name])
                items.append(item)
                check_unprivileged(item)
                began = time.time()
                start(item)
                await_healthy(item)
                check_unwritten(item, began)
        finally:
            stop(items)
            for item in items:
                buildah("rm", item.id)


def run_programs(services: Mapping[str, Service]) -> None:
    """The programs of the lab's image start."""
    item = container("lab", services["lab"])
    try:
        for command in (
            ["backstay-agent", "--version"],
            ["backstay-lab", "--help"],
            ["backstay-demo", "--help"],
        ):
            buildah("run", "--isolation", "chroot", item.id, "--", *command)
        for program in ("bird", "snmpd", "iperf3", "nft", "ip", "opensm", "ibsim"):
            buildah("run", "--isolation", "chroot", item.id, "--", "sh", "-c", f"command -v {program}")
    finally:
        buildah("rm", item.id)
    report("lab: its programs start")


def main() -> int:
    """Build and start; returns 1 if something failed."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "--only-start", action="store_true", help="start the images of the last run without building them"
    )
    options = parser.parse_args()
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    # So that a stopped run ends its services too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    FOLDER.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    try:
        if not options.only_start:
            make_base()
            for image, (dockerfile, target) in builds(services).items():
                build(image, dockerfile, target)
        start_services(services)
        run_programs(services)
    except (ImageError, subprocess.TimeoutExpired) as error:
        report(f"FAILED: {error}")
        return 1
    finally:
        for folder in ("volumes", "secrets"):
            shutil.rmtree(FOLDER / folder, ignore_errors=True)
    seconds = time.monotonic() - began
    report(f"{len(builds(services))} images built, {len(STARTED)} services started ({seconds:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
