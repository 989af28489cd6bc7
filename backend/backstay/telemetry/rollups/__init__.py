"""Roll-ups of port samples: computing, storing and partitions; `core.model.rollup` describes the levels."""
