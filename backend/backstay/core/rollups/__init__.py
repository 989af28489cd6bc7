"""Roll-ups of port samples: levels, bins, and which of them a chart reads. Pure."""
