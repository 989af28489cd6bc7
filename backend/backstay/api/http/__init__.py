"""What every router of the public API shares: who asks, errors, paging, caching, sending twice."""
