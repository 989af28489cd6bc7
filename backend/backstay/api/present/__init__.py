"""From values and rows to the public API's shapes. Nothing here asks the database."""
