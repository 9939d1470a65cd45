"""What is checked against what, as a table for the README: `soagen check --matrix`."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from codegen.pipeline import WITH_TIP_FORCE, kernel_programs
from codegen.source import function_facts
from codegen.trust.cases import random_cases
from codegen.trust.laws.table import laws
from codegen.trust.oracles import ORACLES, Oracle
from codegen.trust.quantities import Quantities, expected
from derive.loaders import load_model

EXAMPLE = "planar_2r"  # any robot with a tip has all functions


def coverage_table() -> str:
    """Markdown: a row per function with the oracles it is put to and the laws it stands in; then what the oracles are."""
    model = load_model(EXAMPLE)
    facts = [function_facts(program) for program in kernel_programs(model)]
    held = laws(model, facts)
    case = random_cases(model, 1, np.random.default_rng(0))[0]
    lines = [f"| function | {' | '.join(o.name for o in ORACLES)} | laws |", "|---" * (len(ORACLES) + 2) + "|"]
    for function in (f for f in facts if not f.extends):
        ways = [_asked(function.name, probe(model, case.inputs, (0.0, 0.0, -9.81))) for probe in (Probe, CoriolisProbe)]
        marks = ["●" if any(all(_offers(o, name) for name in asked) for asked in ways) else "" for o in ORACLES]
        own = [law.name for law in held if function.name in {f.removesuffix(WITH_TIP_FORCE) for f in law.functions}]
        lines.append(f"| `{function.name}` | {' | '.join(marks)} | {'; '.join(own)} |")
    return "\n".join([*lines, "", *(f"* {oracle.name}: {oracle.about}" for oracle in ORACLES)])


class Probe(Quantities):
    """Knows everything, and notes what it is asked for."""

    asked: ClassVar[set[str]] = set()

    def _noted(self, name: str, value: Any) -> Any:
        self.asked.add(name)
        return value

    @cached_property
    def pose(self) -> Any:
        """Asked for."""
        return self._noted("pose", (np.eye(3), np.zeros(3)))

    @cached_property
    def jacobian(self) -> Any:
        """Asked for."""
        return self._noted("jacobian", np.zeros((6, self.model.nv)))

    @cached_property
    def mass(self) -> Any:
        """Asked for."""
        return self._noted("mass", np.eye(self.model.nv))

    @cached_property
    def bias(self) -> Any:
        """Asked for."""
        return self._noted("bias", np.zeros(self.model.nv))

    @cached_property
    def weight(self) -> Any:
        """Asked for."""
        return self._noted("weight", np.zeros(self.model.nv))

    @cached_property
    def sensitivity(self) -> Any:
        """Asked for."""
        return self._noted("sensitivity", np.zeros((self.model.nv,) * 3))

    @cached_property
    def jacobian_rate(self) -> Any:
        """Asked for."""
        return self._noted("jacobian_rate", np.zeros((6, self.model.nv)))

    def force_derivatives(self, qdd: Any) -> Any:
        """Asked for."""
        return self._noted("force_derivatives", (np.zeros((self.model.nv,) * 2),) * 2)

    @cached_property
    def potential_energy(self) -> Any:
        """Asked for."""
        return self._noted("potential_energy", 0.0)


class CoriolisProbe(Probe):
    """Has the Coriolis matrix itself, where others make it of Christoffel symbols."""

    @cached_property
    def coriolis(self) -> Any:
        """Asked for."""
        return self._noted("coriolis", np.zeros((self.model.nv,) * 2))


def _asked(function: str, probe: Probe) -> frozenset[str]:
    """The quantities a function is made of."""
    probe.asked.clear()
    expected(function, probe)
    return frozenset(probe.asked)


def _offers(oracle: Oracle, quantity: str) -> bool:
    """Whether the oracle has a way of its own to the quantity."""
    assert isinstance(oracle.known, type)
    return getattr(oracle.known, quantity) is not getattr(Quantities, quantity)
