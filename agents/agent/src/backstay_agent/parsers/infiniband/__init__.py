"""Output of infiniband-diags, and files of sysfs."""
