"""Parse text and tables into wire values. Pure: no socket, no clock, no file."""
