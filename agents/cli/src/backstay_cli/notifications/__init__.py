"""Commands of the group `notify`: who is notified of incidents, and what was delivered."""
