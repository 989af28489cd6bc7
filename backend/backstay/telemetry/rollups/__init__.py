"""Roll-ups of port samples: computing, storing and partitions; `core.rollups.levels` describes the levels."""
