"""soagen's mathematics: robot models, the operator algebra, recursions, closed forms, and the independent reference."""

from derive.errors import DeriveError, ModelError, SingularModelError, StateError
from derive.loaders import bundled_robots, load_model
from derive.model import Model
from derive.random_models import random_chain, random_tree

__all__ = [
    "DeriveError",
    "Model",
    "ModelError",
    "SingularModelError",
    "StateError",
    "bundled_robots",
    "load_model",
    "random_chain",
    "random_tree",
]
