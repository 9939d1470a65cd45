"""The arguments that name a robot and select a part of it, shared by every command that takes one."""

from __future__ import annotations

import argparse

from derive.errors import ModelError
from derive.frames import DEFAULT_SNAP_TOL
from derive.loaders import load_model
from derive.model import Model


def add_robot_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """ROBOT and the options of `load_model`."""
    text = "a bundled robot (see 'soagen robots') or a .urdf or .toml file"
    parser.add_argument("robot", metavar="ROBOT", nargs=None if required else "?", help=text)
    group = parser.add_argument_group("which part of the robot")
    group.add_argument("--base", metavar="LINK", help="use this link as the ground")
    group.add_argument("--tip", metavar="LINK", action="append", default=[], help="end here; may be repeated")
    group.add_argument("--whole", action="store_true", help="--tip only names the tips: keep all other branches")
    group.add_argument(
        "--lock", metavar="JOINT=VALUE", action="append", default=[], help="fix a joint; may be repeated"
    )
    group.add_argument("--floating", action="store_true", help="let the base move freely")
    group.add_argument(
        "--mimic", choices=("reduce", "independent"), default="reduce", help="how mimic joints are treated"
    )
    group.add_argument(
        "--snap-tol", type=float, default=DEFAULT_SNAP_TOL, metavar="TOL", help="default %(default)g; 0 is off"
    )


def chosen_model(options: argparse.Namespace) -> Model:
    """The model the arguments ask for."""
    return load_model(
        options.robot,
        base=options.base,
        tip=options.tip,
        lock=dict(_lock(text) for text in options.lock),
        floating=options.floating,
        mimic=options.mimic,
        prune=not options.whole,
        snap_tol=options.snap_tol,
    )


def _lock(text: str) -> tuple[str, list[float]]:
    joint, _, values = text.rpartition("=")
    try:
        return joint, [float(value) for value in values.split(",")]
    except ValueError:
        raise ModelError(
            f"--lock {text}", "is not understood", "write JOINT=VALUE, or JOINT=V1,V2,… for several coordinates"
        ) from None
