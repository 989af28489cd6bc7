"""The site file: schema, checks and import."""
