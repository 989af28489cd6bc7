"""Rules about the load of links and gateways, and about what is lost on them."""
