"""A lab that would fill the machine's neighbour table is refused before anything is created."""

from __future__ import annotations

from pathlib import Path

import pytest

from backstay_lab.errors import LabError
from backstay_lab.lifecycle import require_neighbour_limit


@pytest.fixture
def setting(tmp_path: Path) -> Path:
    path = tmp_path / "gc_thresh3"
    path.write_text("1024\n")
    return path


def test_site_that_fits_is_accepted(setting: Path) -> None:
    require_neighbour_limit(113, setting)


def test_site_that_would_fill_the_table_is_refused_naming_the_setting(setting: Path) -> None:
    with pytest.raises(LabError) as refused:
        require_neighbour_limit(157, setting)
    assert "157 nodes need about 1413 neighbour entries; this kernel's limit is 1024" in refused.value.cause
    assert "net.ipv4.neigh.default.gc_thresh3=2826" in refused.value.next_step


@pytest.mark.parametrize("text", [None, "?"])
def test_unknown_limits_refuse_nothing(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "gc_thresh3"
    if text is not None:
        path.write_text(text)
    require_neighbour_limit(10_000, path)
