"""Closed days of samples as Parquet on a folder or an S3-compatible store (docs/archive.md).

`writer` writes and verifies, `release` decides whether a partition may be dropped, `reader` reads.
"""
