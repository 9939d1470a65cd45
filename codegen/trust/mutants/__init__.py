"""Mutation testing of emitted code: whether the check notices when the text of a kernel is wrong.

`statements.py` reads a function's text, `sites.py` says what can go wrong in it, `schemata.py` puts all mutants into one text
behind a switch, `campaign.py` runs them through the check and explains the survivors.
"""
