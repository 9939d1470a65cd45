"""Other descriptions of the same robot, whose joint-level equations are the same and cost less to compute.

`aligned`, `slid`: frames are a choice, up to a turn about a joint's axis and a slide along it. `regrouped`: inertial parameters
are not unique, what a joint cannot tell apart may be the parent's. Every function gives a new model; the robot's coordinates,
mass matrix and joint forces stay, also its tips for the first two.
"""

from derive.equivalent.base_parameters import GROUPINGS, Grouping, regrouped
from derive.equivalent.frames import aligned, slid, slides, with_short_offsets

__all__ = ["GROUPINGS", "Grouping", "aligned", "regrouped", "slid", "slides", "with_short_offsets"]
