"""The papers' measured tables as reference runs, and what each paper concluded from them.

`data/` holds the figures as facts, in our own words and layout; `load` makes them cells; `report` sets our
verdicts beside the papers' conclusions. Nothing here needs Django.
"""
