"""`backstay export`, `backstay exports`: a file, or the reason why there is none."""

from __future__ import annotations

from pathlib import Path

from backstay_testing.cli.fake_server import Run, World, one_after_another
from backstay_testing.cli.network import history_export, link

CONTENT = b"a,b\r\n1,2\r"


def test_export_waits_and_stores_the_file(world: World, run: Run, tmp_path: Path) -> None:
    world.answers["GET", "/links"] = [link("a"), link("grf1:ga030-ps32:1", id=12)]
    world.answers["GET", "/exports/5"] = one_after_another(
        history_export(state="running"), history_export(text="Complete, with 1 gap.", gap_count=1, gaps=[GAP])
    )
    target = tmp_path / "history.csv"
    links = ("--link", "grf1:ga030-ps32:1", "--link", "7")
    done = run("export", *links, "--level", "1h", "--output", str(target))
    assert (done.code, target.read_bytes()) == (0, CONTENT)
    assert "Complete, with 1 gap." in done.out
    assert "The archive's file x is missing." in done.out
    (asked,) = world.made("POST", "/exports")
    assert asked.body == {
        "site": "argonne",
        "format": "csv",
        "level": "1h",
        "start": "now-1d",
        "end": "now",
        "links": [12, 7],
    }
    assert asked.key is not None
    assert list(tmp_path.glob("*.partial")) == []


GAP = {"start": 0.0, "end": 86_400.0, "text": "The archive's file x is missing."}


def test_export_without_output_names_the_next_command(run: Run) -> None:
    done = run("export", "--fabric", "hippi")
    assert (done.code, "backstay exports 5 --output argonne-5.csv" in done.out) == (0, True)


def test_failed_export_gives_its_reason_and_exit_code_5(world: World, run: Run, tmp_path: Path) -> None:
    world.answers["GET", "/exports/5"] = history_export(
        state="failed", text="More than 50 rows.", download=None
    )
    done = run("exports", "5", "--output", str(tmp_path / "x.csv"))
    assert (done.code, "More than 50 rows." in done.err) == (5, True)
    assert not (tmp_path / "x.csv").exists()


def test_incomplete_download_leaves_no_file(world: World, run: Run, tmp_path: Path) -> None:
    world.answers["GET", "/exports/5"] = history_export(bytes=10)
    done = run("exports", "5", "--output", str(tmp_path / "x.csv"))
    assert (done.code, "9 of 10 bytes" in done.err) == (4, True)
    assert list(tmp_path.iterdir()) == []


def test_folder_that_does_not_exist_is_named(run: Run, tmp_path: Path) -> None:
    done = run("exports", "5", "--output", str(tmp_path / "missing" / "x.csv"))
    assert (done.code, "cannot be written" in done.err) == (2, True)


def test_exports_are_listed_and_deleted(world: World, run: Run) -> None:
    done = run("exports")
    assert (done.code, "3 exports" in done.out) == (0, True)
    assert run("exports", "5", "--delete").out.strip() == "Export 5 is deleted."
    assert len(world.made("DELETE", "/exports/5")) == 1
    assert run("exports", "--delete").code == 2
    assert run("export", "--link", "a", "--fabric", "b").code == 2
    assert "No link named nothing" in run("export", "--link", "nothing").err
