"""Whether what is printed as the reason of a zero is true: each sentence decided on the model alone, in NumPy, at one state."""

import re

import numpy as np

from derive import operators, reference
from derive.reference.bodies import joint_motions, textbook, world_poses

SLACK = 1e-9
GRAVITY = (0.0, 0.0, -9.81)
XYZ = "xyz"
JOINT = r"[\w.]+"
COMPONENTS = ("ωx", "ωy", "ωz", "vx", "vy", "vz")


def small(x):
    """Whether numbers are zero up to rounding."""
    return bool(np.max(np.abs(x), initial=0.0) < SLACK)


class Line:
    """A line, or only a direction where `point` is None."""

    def __init__(self, direction, point=None):
        self.direction, self.point = np.array(direction) / np.linalg.norm(direction), point

    def distance(self, point):
        return np.linalg.norm(np.cross(point - self.point, self.direction))

    def relation(self, other, how):
        """Whether the two lie as a word says."""
        across = np.cross(self.direction, other.direction)
        right = small(self.direction @ other.direction)
        lines = self.point is not None and other.point is not None
        meeting = lines and small((other.point - self.point) @ across) and not small(across)
        return {
            "parallel": small(across),
            "the same line": lines and small(across) and small(self.distance(other.point)),
            "perpendicular": right,
            "intersecting": meeting,
            "intersecting at right angles": meeting and right,
        }[how]

    def nearest(self, other):
        """The point of this line that is nearest to another one that is not parallel."""
        normal = np.cross(self.direction, other.direction)
        along = np.cross(other.point - self.point, other.direction) @ normal / (normal @ normal)
        return self.point + along * self.direction


class StatedFacts:
    """One robot in one state."""

    def __init__(self, model, q):
        self.model, self.q = model, np.asarray(q)
        self.bodies, motions = textbook(model), joint_motions(model, q)
        self.poses = world_poses(model, motions)
        self.screws = {}  # name → (body, [ω; v at the origin])
        for k, motion in enumerate(motions):
            R, p = self.poses[k]
            joint, rates = model.joints[k], model.v_slices[k]
            names = [joint.name] if joint.mimic is not None else model.rate_names[rates]
            for name, column in zip(names, motion.S.T, strict=True):
                w = R @ column[:3]
                self.screws[name] = (k, w, R @ column[3:] + np.cross(p, w))
        self._checks = [(re.compile(pattern), check) for pattern, check in self._table()]

    def holds(self, fact):
        """Whether a sentence is true; an unknown one is an error."""
        for pattern, check in self._checks:
            if match := pattern.fullmatch(fact):
                return check(*match.groups())
        raise AssertionError(f"nothing decides '{fact}'")

    def _table(self):
        principal = (
            rf"(the .+) is a principal axis of what ({JOINT}) carries(?: where it (?:meets|is nearest to) (.+))?"
        )
        lines = "parallel|the same line|perpendicular|intersecting|intersecting at right angles"
        ok = lambda *_: True  # noqa: E731  said of the entry: its own test decides
        return [
            (rf"the axes of ({JOINT}) and ({JOINT}) are ({lines})", self._axes_lie),
            (rf"(the .+) and (the .+) are ({lines})", lambda a, b, how: self._line(a).relation(self._line(b), how)),
            (rf"({JOINT}) and ({JOINT}) both slide", lambda a, b: self._slides(a) and self._slides(b)),
            (rf"what ({JOINT}) carries has its centre of mass on (.+)", self._balanced),
            (principal, self._principal),
            (rf"what ({JOINT}) carries is the same wherever it stands", self._round),
            (r"nothing with mass moves about the axis of (.+)", self._idle),
            (rf"nothing with mass moves with ({JOINT})", self._idle),
            (r"there is no gravity|nothing with mass moves", ok),
            (r"on different branches: neither moves what the other carries", ok),
            (r"all that it is made of moves rigidly with (.+)|on branches that it does not depend on: (.+)", self._named),
            (r"((?:M|dM|G|P)\[\S*\]) is zero: (.+)", lambda label, fact: self._entry_is_zero(label) and self.holds(fact)),
            (r"(dM\S+) = (−?)(dM\S+)", self._equal),
            (r"the tip is not moved by (.+)", lambda names: not any(self._carries(n, self._tip[0]) for n in listed(names))),
            (r"what only slides turns nothing: (.+)", lambda names: all(self._slides(n) for n in listed(names))),
            (r"the tip is on the axis of (.+)", lambda name: small(self._axis(name).distance(self._tip[2]))),
            (r"along (.+) are the axes of (.+)", self._along),
            (r"the tip starts with ([xyz]) = 0, and no joint moves it along the world's \1", self._level),
            (r"P\((\d+)\) is mirror-symmetric about the plane of the body's ([xyz]) and ([xyz])", self._mirrored),
            (r"zero in M\((\d+)\), and in what each body further out hands inwards", ok),
            (r"a rigid body.*", ok),
            (r"the (?:moment|product) of inertia ([xyz])([xyz]) of (.+) is zero", self._inertia),
            (r"the centre of mass of (.+) has ([xyz]) = 0 in its frame", self._centred),
            (r"H\((\d+)\) does not read (\S+), so τ̄ leaves it as it is", self._unread),
            (r"H τ̄ = 0: .*|H G = I: .*|ψ\(k,k\) is the identity|ψ carries forces inwards, along a branch", ok),
            (r"in \S+ \S+ every product of this row and column has a zero factor", ok),
        ]  # fmt: skip

    # -- lines ----------------------------------------------------------------------------------------------------------

    def _axis(self, name):
        _, w, v = self.screws[name]
        return Line(v) if small(w) else Line(w, np.cross(w, v) / (w @ w))

    def _line(self, words):
        words = words.removeprefix("the ")
        if match := re.fullmatch(rf"axis of ({JOINT})", words):
            return self._axis(match[1])
        if words == "vertical":
            return Line(GRAVITY)
        if match := re.fullmatch(r"world's ([xyz])( through the tip)?", words):
            return Line(np.eye(3)[XYZ.index(match[1])], self._tip[2] if match[2] else None)
        if match := re.fullmatch(r"tip's ([xyz])", words):
            return Line(self._tip[1][:, XYZ.index(match[1])])
        if match := re.fullmatch(rf"common normal of ({JOINT}) and ({JOINT})", words):
            return self._common_normal(match[1], match[2])
        match = re.fullmatch(rf"line along (.+) through the centre of mass of what ({JOINT}) carries", words)
        return Line(self._line(match[1]).direction, self._load(match[2])[1])

    def _common_normal(self, first, second):
        a, b = self._axis(first), self._axis(second)
        normal = np.cross(a.direction, b.direction)
        if small(normal):
            between = b.point - a.point
            return Line(between - between @ a.direction * a.direction)
        return Line(normal) if a.point is None or b.point is None else Line(normal, a.nearest(b))

    def _axes_lie(self, a, b, how):
        return self._axis(a).relation(self._axis(b), how)

    def _along(self, way, names):
        return all(self._axis(name).relation(self._line(way), "parallel") for name in listed(names))

    def _level(self, i):
        return small(self._tip[2][XYZ.index(i)])

    def _slides(self, name):
        return small(self.screws[name][1])

    # -- what is carried ------------------------------------------------------------------------------------------------

    def _carries(self, name, body):
        return self.screws[name][0] in self.model.path(body)

    def _load(self, name):
        """Mass, centre and inertia about it, in world axes, of what a joint carries."""
        inner = self.screws[name][0] if name in self.screws else [j.name for j in self.model.joints].index(name)
        carried = [k for k in range(self.model.n) if inner in self.model.path(k)]
        placed = [(self.bodies[k], *self.poses[k]) for k in carried]
        mass = sum(b.mass for b, *_ in placed)
        centres = [R @ b.com + p for b, R, p in placed]
        centre = sum(b.mass * c for (b, *_), c in zip(placed, centres, strict=True)) / (mass or 1.0)
        inertia = np.zeros((3, 3))
        for (b, R, _), c in zip(placed, centres, strict=True):
            off = c - centre
            inertia += R @ b.inertia @ R.T + b.mass * (off @ off * np.eye(3) - np.outer(off, off))
        return mass, centre, inertia

    def _balanced(self, name, line):
        return small(self._line(line).distance(self._load(name)[1]))

    def _principal(self, line, name, other):
        axis, (mass, centre, inertia) = self._line(line), self._load(name)
        about = axis.point if other is None else axis.nearest(self._line(other))
        off = centre - about
        inertia = inertia + mass * (off @ off * np.eye(3) - np.outer(off, off))
        return small(np.cross(inertia @ axis.direction, axis.direction))

    def _round(self, name):
        """The load moved along with the joint, all else standing, is where it was."""
        body, rate = self.screws[name][0], self.model.rate_names.index(name)
        moved = self.q.copy()
        moved[self.model.q_slices[body].start + rate - self.model.v_slices[body].start] += 0.7
        loads = [StatedFacts(self.model, q)._load(name) for q in (self.q, moved)]
        return all(small(a - b) for a, b in zip(*loads, strict=True))

    def _idle(self, name):
        mass, _, inertia = self._load(name)
        return small(
            reference.mass_matrix(self.model, self.q)[self.model.rate_names.index(name)]
        ) or mass == 0 == np.max(inertia)

    def _named(self, *groups):
        return all(name in self.screws for names in groups if names for name in listed(names))

    # -- entries --------------------------------------------------------------------------------------------------------

    def value(self, label):
        """The entry a label names, of the reference or of the dense operators."""
        letter, *numbers = re.findall(r"[A-Za-z_]+|\d+", label)
        i = tuple(int(n) - 1 for n in numbers)
        if letter in ("P", "G", "D", "tau_bar", "psi", "K"):
            return self.block(letter, *i)
        if letter == "C" and len(i) == 1:
            rates = np.linspace(0.5, 1.5, self.model.nv)
            bias = reference.bias_forces(self.model, self.q, rates) - reference.gravity_forces(self.model, self.q)
            return bias[i]
        whole = {
            "M": reference.mass_matrix,
            "dM": reference.mass_matrix_sensitivity,
            "christoffel": reference.christoffel,
            "C": lambda m, q: reference.christoffel(m, q) @ np.linspace(0.5, 1.5, m.nv),
            "g": reference.gravity_forces,
            "J": reference.jacobian,
            "rotation": lambda m, q: reference.forward_kinematics(m, q)[0],
            "position": lambda m, q: reference.forward_kinematics(m, q)[1],
        }[letter]
        if letter not in self.__dict__:
            self.__dict__[letter] = whole(self.model, self.q)
        return self.__dict__[letter][i]

    def block(self, letter, k, *rest):
        """Of the dense operator, by the papers' numbers."""
        rates = self.model.joints[k].kind.nv
        height, width = {"D": (rates, rates), "G": (6, rates), "K": (6, rates)}.get(letter, (6, 6))
        at = other = self.model.paper_number(k) - 1
        if letter == "psi":
            other = self.model.paper_number(rest[0]) - 1
            rest = rest[1:]
        if letter == "K":
            at = self.model.paper_number(self.model.joints[k].parent) - 1
        if letter not in self.__dict__:
            self.__dict__[letter] = operators.evaluate(operators.parse(letter), self.model, self.q)
        whole = self.__dict__[letter][at * height :, other * width :][:height, :width]
        return whole.reshape([n for n in (height, width) if n > 1])[tuple(rest)]

    def _entry_is_zero(self, label):
        return small(self.value(label))

    def _equal(self, a, sign, b):
        return small(self.value(a) - (-1 if sign else 1) * self.value(b))

    # -- bodies ---------------------------------------------------------------------------------------------------------

    @property
    def _tip(self):
        return self.model.tips[0].body, *reference.forward_kinematics(self.model, self.q)

    def _body(self, name):
        return next(b for b in self.model.bodies if b.name == name)

    def _mirrored(self, k, first, second):
        (axis,) = {0, 1, 2} - {XYZ.index(first), XYZ.index(second)}
        flip = np.ones(3)
        flip[axis] = -1.0
        reflection = np.diag([*(-flip), *flip])  # turns change sign unless they are about the normal
        P = self.block("P", int(k) - 1)
        return small(reflection @ P @ reflection - P)

    def _centred(self, name, i):
        return self._body(name).inertia.moment[XYZ.index(i)] == 0

    def _inertia(self, i, j, name):
        places = {"xx": 0, "xy": 1, "xz": 2, "yy": 3, "yz": 4, "zz": 5}
        return self._body(name).inertia.inertia[places[i + j]] == 0

    def _unread(self, k, component):
        joint = joint_motions(self.model, self.q)[int(k) - 1]
        return small(joint.S[COMPONENTS.index(component)])


def listed(names):
    """The names in a, b and c."""
    return re.split(r", | and ", names)
