"""Operation counts others published or that their tools give, for robots that are bundled here.

Counts are multiplications and additions of one call; sines and cosines are apart. "General 6R" is six revolute joints of which
nothing is zero but what a Denavit–Hartenberg table makes so: the bundled general_6r.
"""

from __future__ import annotations

from dataclasses import dataclass

from derive.loaders import bundled_robots, load_model
from derive.model import Model

PINOCCHIO = "Pinocchio 4.1 traced by CasADi 3.8"  # counted by `soagen bench panda --peers`


@dataclass(frozen=True)
class PublishedCount:
    """Somebody's count for one function of one bundled robot; `divisions` where they are given apart.

    Where only the sum is known it is `total_given`, and multiplications and additions are None.
    """

    robot: str
    function: str
    multiplications: int | None
    additions: int | None
    by: str
    divisions: int | None = None
    total_given: int | None = None

    @property
    def total(self) -> int:
        """Multiplications and additions."""
        return self.total_given or (self.multiplications or 0) + (self.additions or 0)


PUBLISHED = (
    PublishedCount("general_6r", "inverse_dynamics", 852, 738, "Luh, Walker and Paul"),
    PublishedCount("general_6r", "inverse_dynamics", 450, 386, "Balafoutis and Patel"),
    PublishedCount("general_6r", "inverse_dynamics", 425, 369, "Khalil and Kleinfinger, base parameters"),
    PublishedCount("general_6r", "mass_matrix", 460, 395, "best published, composite bodies"),
    PublishedCount("general_6r", "forward_dynamics", 1085, 982, "McMillan and Orin, articulated bodies"),
    PublishedCount("general_6r", "forward_dynamics", 996, 846, "best published, mass matrix and elimination"),
    PublishedCount("panda", "inverse_dynamics", 415, 354, "SymPyBotics"),
    PublishedCount("panda", "inverse_dynamics", 550, 443, "6×6 code traced by CasADi"),
    PublishedCount("panda", "mass_matrix", 711, 549, "SymPyBotics"),
    PublishedCount("panda", "mass_matrix", 1300, 1137, "ADAM traced by CasADi"),
    PublishedCount("panda", "mass_matrix", 614, 500, "6×6 code traced by CasADi"),
    PublishedCount("panda", "forward_dynamics", 1236, 1052, "6×6 articulated bodies traced by CasADi", 120),
    PublishedCount("panda", "inverse_dynamics", 556, 451, PINOCCHIO),
    PublishedCount("panda", "gravity_forces", 120, 81, PINOCCHIO),
    PublishedCount("panda", "mass_matrix", 384, 315, PINOCCHIO),
    PublishedCount("panda", "mass_matrix_inverse", 537, 462, f"{PINOCCHIO}, Cholesky", 42),
    PublishedCount("panda", "mass_matrix_inverse", 1143, 1027, f"{PINOCCHIO}, direct", 101),
    PublishedCount("panda", "forward_dynamics", 1060, 875, f"{PINOCCHIO}, articulated bodies", 31),
    PublishedCount("panda", "forward_dynamics", 1046, 853, f"{PINOCCHIO}, Cholesky", 21),
    PublishedCount("panda", "jacobian", 102, 70, PINOCCHIO),
    PublishedCount("panda", "coriolis_matrix", None, None, "SymPyBotics", total_given=11138),
    PublishedCount("panda", "operational_space_inertia", 1028, 881, f"{PINOCCHIO}, Cholesky", 51),
)


def published_for(model: Model) -> tuple[PublishedCount, ...]:
    """The counts for this robot; none unless it is the bundled one, as bundled."""
    if model.name not in bundled_robots() or load_model(model.name).digest != model.digest:
        return ()
    return tuple(count for count in PUBLISHED if count.robot == model.name)
