"""Tip acceleration without joint acceleration: SOA-23 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="tip_bias_acceleration",
    title="Tip acceleration without joint acceleration",
    quantities=(Quantity("alpha_0", "B' phi' a", "B' phi' a"),),
    soa=("SOA-23",),
    source="000-I (3.16) ff",
    prose="J̇θ̇ in body-derivative form: the tip frame is fixed in its body, so it adds nothing of its own.",
)
