"""Reminders to save by system of the device."""

from __future__ import annotations

from backstay.core.planning.reminders import checklist, reminders, system_of


def test_aix_host_needs_savebase_and_router_its_backup_group() -> None:
    assert "savebase" in reminders("aix")[0]
    assert "backup group" in reminders("grf")[0]
    assert "read it back" in reminders("")[0]


def test_system_is_taken_from_source_or_description() -> None:
    assert system_of(["", "aix"], "GigaRouter") == "aix"
    assert system_of([], "Ascend GigaRouter GRF 400") == "grf"
    assert system_of([], "NSC PS-32 HIPPI switch") == "ps32"
    assert system_of([], "something else") == ""


def test_each_device_is_listed_once_by_name() -> None:
    lines = checklist([("grf1", "grf"), ("aix1", "aix"), ("grf1", "grf")])
    assert [line.split(":")[0] for line in lines] == ["aix1", "grf1"]
