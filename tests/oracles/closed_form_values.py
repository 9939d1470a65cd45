"""Numbers for the variables of closed forms, so that formulas can be compared with `derive.reference`."""

import math

from derive.closed_form.variables import Kind


def values(forms, q, qd=None, lets=None):
    """A function from variables to floats at (q, q̇), parameters at their defaults; `lets` are worked out in order."""
    parameters = forms.parameter_values
    known = {}

    def value(variable):
        if variable in known:
            return known[variable]
        if variable.angle is not None:
            parts, offset = variable.angle
            angle = math.fsum([float(offset), *(float(m) * q[i] for i, m in parts)])
            return math.cos(angle) if variable.kind is Kind.COS else math.sin(angle)
        if variable.kind is Kind.COORDINATE:
            return q[variable.index]
        if variable.kind is Kind.RATE:
            return qd[variable.index]
        if variable.kind is Kind.INVERSE:
            return 1.0 / value(forms.ring.inverses[variable])
        return parameters[variable.name]

    for let in lets or ():
        known[let.variable] = number(let.value, value)
    return value


def number(element, value):
    """The element at these values, its terms summed exactly."""
    known = {v: value(v) for v in element.variables()}
    terms = []
    for monomial, coefficient in element.coefficients():
        product = float(coefficient)
        for variable, power in element.ring.factors(monomial):
            product *= known[variable] ** power
        terms.append(product)
    return math.fsum(terms)
