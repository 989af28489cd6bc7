"""gated.conf: its text as a `Config`. Pure but for `%include`; written from the grammar, in our own words."""
