"""Fields of CSV: golden examples for API and pages."""

from __future__ import annotations

from typing import Any

import pytest

from backstay.core.client_spec import client_spec
from backstay.core.csv_text import table

SPEC: Any = client_spec()["csv"]


@pytest.mark.parametrize(("value", "field"), SPEC["examples"])
def test_golden_examples(value: Any, field: str) -> None:
    assert table(["a", "b"], [[value, 1]]) == f"a,b\r\n{field},1\r\n"


def test_headings_are_fields_too() -> None:
    assert table(["=a", "b"], []) == "'=a,b\r\n"
