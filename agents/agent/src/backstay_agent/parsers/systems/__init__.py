"""Output of the commands of other operating systems and of routers."""
