"""What enters Backstay: agents' batches and site files, each stored in one transaction over all apps."""
