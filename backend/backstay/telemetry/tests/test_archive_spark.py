"""The examples of docs/archive.md for Spark and pandas, run on a real archive, agree with our own reader.

`BACKSTAY_TEST_SPARK` names the Python of an environment with pyspark and pandas, which are not among the
project's packages; Spark needs a Java runtime. Without it, the tests are skipped.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from backstay.telemetry import partitions
from backstay.telemetry.archive.reader import archived_samples
from backstay.telemetry.tests.test_archive import DAY, DOCUMENT, EXPIRED, NOON, archive, nodes, root
from bench.archive_rows import SampledNode

__all__ = ["nodes", "root"]
PYTHON = os.environ.get("BACKSTAY_TEST_SPARK", "")
LONGEST_S = 180
pytestmark = pytest.mark.skipif(
    not PYTHON, reason="BACKSTAY_TEST_SPARK is not the Python of an environment with pyspark and pandas"
)
START_SPARK = """
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
"""


def example(language: str, archive_root: Path) -> str:
    """The code that the document has below this heading, with its folder."""
    text = DOCUMENT.read_text()
    found = re.search(rf"^{language}:\n\n```python\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    code = found[1].replace("s3a://bucket/prefix", str(archive_root)).replace('"/archive', f'"{archive_root}')
    assert str(archive_root) in code
    return code


def printed(code: str) -> object:
    """The JSON in the last line that the code prints in the other environment."""
    done = subprocess.run(
        [PYTHON, "-c", code], capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.fixture
def sums(nodes: list[SampledNode], root: Path) -> dict[int, int]:
    """Port -> in_octets of the archived day, by our own reader."""
    archive()
    assert DAY in partitions.maintain(EXPIRED)
    found = {}
    for node in nodes:
        for port in node.ports:
            samples, gaps = archived_samples(
                node.node, port, NOON - timedelta(days=1), NOON + timedelta(days=1)
            )
            assert (gaps, len(samples.end)) == ([], 720)
            found[port] = sum(map(int, samples.in_octets))
    return found


def test_spark_adds_up_the_same_bytes(sums: dict[int, int], root: Path) -> None:
    code = START_SPARK + example("Spark", root)
    query = code.strip().splitlines()[-1]
    assert query.endswith(".show()")
    code += "\nimport json\n"
    code += f"rows = {query.removesuffix('.show()')}.collect()\n"
    code += "print(json.dumps({row['port_id']: row['sum(in_octets)'] for row in rows}))\n"
    assert printed(code) == {str(port): total for port, total in sums.items()}


def test_pandas_reads_the_same_bytes(sums: dict[int, int], root: Path) -> None:
    port = max(sums)
    code = example("pandas", root).replace('"port_id", "=", 42', f'"port_id", "=", {port}')
    code += "\nimport json\n"
    code += "print(json.dumps([int(day.in_octets.sum()), len(day), bool(rate.notna().all())]))\n"
    assert printed(code) == [sums[port], 720, True]
