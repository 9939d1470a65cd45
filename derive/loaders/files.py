"""Reading a file whole, within bounds, with the operating system's refusals as ModelError."""

from __future__ import annotations

from pathlib import Path

from derive.errors import ModelError

MAX_BYTES = 64 * 2**20


def read_bytes(path: Path) -> bytes:
    """The bytes of `path`; ModelError when it cannot be read or is larger than any robot file."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ModelError(
            str(path), "there is no such file", "check the path, or see 'soagen robots' for bundled ones"
        ) from None
    except IsADirectoryError:
        raise ModelError(str(path), "is a directory", "name a .urdf or .toml file in it") from None
    except PermissionError:
        raise ModelError(str(path), "may not be read", "change its permissions") from None
    except (OSError, ValueError) as error:
        raise ModelError(str(path), f"cannot be read ({error})", "check the path") from None
    if len(content) > MAX_BYTES:
        raise ModelError(
            str(path), f"is larger than {MAX_BYTES >> 20} MiB", "a robot file holds no meshes: is this the right one?"
        )
    return content
