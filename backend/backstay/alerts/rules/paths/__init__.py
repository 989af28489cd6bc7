"""Rules about the paths of policies and their gateways."""
