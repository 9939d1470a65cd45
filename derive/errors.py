"""The errors of `derive`: one root, one subclass per stage. A user's mistake, never a bug of ours."""


class DeriveError(Exception):
    """Root of everything `derive` raises on purpose; its message is one line fit for a user."""


class ModelError(DeriveError):
    """A robot that cannot be read or built: says what is wrong, where (file, element), and what to do next."""

    def __init__(self, where: str, what: str, remedy: str) -> None:
        self.where, self.what, self.remedy = where, what, remedy
        super().__init__(f"{one_line(where)}: {one_line(what)}; {one_line(remedy)}")


class ModelWarning(UserWarning):
    """A robot file says something odd that is kept as it stands, such as an inertia no rigid body can have."""


class StateError(DeriveError):
    """A configuration, velocity or force that does not fit the model: wrong shape, not finite, not a unit quaternion."""


class SingularModelError(DeriveError):
    """The mass matrix is singular, so forward dynamics does not exist; names the joint that sees no inertia."""


def one_line(text: str, limit: int = 300) -> str:
    """`text` with white space as single blanks and unprintable characters escaped; past `limit` its middle is left out."""
    flat = " ".join("".join(c if c.isprintable() or c.isspace() else f"\\x{ord(c):02x}" for c in text).split())
    return flat if len(flat) <= limit else f"{flat[: limit // 2]} … {flat[-limit // 2 :]}"
