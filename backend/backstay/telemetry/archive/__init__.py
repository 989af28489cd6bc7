"""Closed days of samples as Parquet on a folder or an S3-compatible store (docs/archive.md).

`archiver` writes and verifies, `release` decides whether a partition may be dropped, `reader` reads.
"""
