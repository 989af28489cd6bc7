"""Forecast of exhaustion: when the load of a link reaches its usable rate. Pure."""
