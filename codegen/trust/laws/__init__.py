"""Laws that kernels obey among themselves, whatever the robot: no reference is needed to check them.

`table.py` states them once, as small trees of matrix operations on kernels' outputs. `evaluate.py` says what a tree means, with
error bounds; `python_text.py` and `c_text.py` write it as statements of a self-test.
"""
