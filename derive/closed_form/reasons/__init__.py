"""Why entries of closed forms are zero for every configuration: how axes lie, and how what they carry is balanced."""
