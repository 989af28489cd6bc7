"""The public API's shapes: what every client sees, the browser included.

Conventions: times are RFC 3339 UTC, rates integer bit/s, utilisation a float 0..1 of the usable rate,
ages in seconds. A node, port, link, incident or event carries `id`, `name`, `kind`, `state`, `since`,
`age_s` and `url`, the page that is about it. Lists answer `{items, next}`; `next` is an opaque cursor.

One module a noun. A preference is lower-wins, as gated's.
"""
