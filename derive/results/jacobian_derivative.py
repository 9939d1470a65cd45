"""Rate of the jacobian of the tips: SOA-23 of the specification."""

from derive.results.result import Quantity, Result

FORM = "B' phi' X_V - V_0x B' phi' H'"

RESULT = Result(
    name="jacobian_derivative",
    title="Rate of the jacobian of the tips",
    quantities=(Quantity("J_rate", FORM, FORM),),
    soa=("SOA-23", "SOA-119"),
    source="000-I (3.13), (3.16); 004 (3.41)",
    prose="dJ/dt in axes that do not turn: each joint's map turns with its body, and the point it is seen from moves.",
)
