"""Mutation testing of emitted code: whether the check notices when the text of a kernel is wrong.

`texts.py` says what there is to mutate, `statements.py` finds it in C (`c_syntax.py`) and in Python, `sites.py` says what can
go wrong in it, `schemata.py` puts all mutants of a file into one text behind a switch, `campaign.py` runs them through the
check and explains the survivors: `exactly.py` carries them out without rounding (`in_python.py`, `residues.py`).
"""
