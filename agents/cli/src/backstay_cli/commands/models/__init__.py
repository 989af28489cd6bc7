"""Commands that calculate what a network would do."""
