"""Exports of port history as files: any selection, from all levels and the archive (docs/exports.md).

`services` creates and deletes, `execution` writes in a worker, `sample_tables` and `rollup_tables` read,
`codec` makes the formats.
"""
