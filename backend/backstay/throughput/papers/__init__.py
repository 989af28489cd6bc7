"""The papers' measured tables as reference runs, with the papers' conclusions.

`data/` holds the values; `load` converts them to cells; `report` compares our verdicts with the papers'
conclusions. Nothing here needs Django.
"""
