"""Circuits planned and checked: how many there would be, under which labels, and whether those that are there
fit together. Pure.

`mesh` says who is joined to whom, `sizes` what that costs, `advice` which way is best, `assignment` gives
labels that clash with nobody's, `consistency` compares a circuit with itself and with what its devices tell.
"""
