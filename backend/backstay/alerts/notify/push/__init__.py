"""Web push: devices on which people turned it on, keys, encryption and sending."""
