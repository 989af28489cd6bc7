"""For every package's tests: a machine that is busy for a moment fails none, and slow files go first."""

import pytest
from hypothesis import settings

settings.register_profile("backstay", deadline=None)
settings.load_profile("backstay")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: none is left for the end, when other workers have nothing to do."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
