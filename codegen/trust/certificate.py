"""A certificate beside generated files: what was checked against what, with which result, bound by digests to the files.

`certificate.json` is for programs, `certificate.md` for people. All of it but the block `environment` is the same whenever the
same soagen checks the same robot with the same seed on the same machine. Each function's record has a digest of its own, so
that a change is told by the function's name.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from codegen.compiler import find_compiler
from codegen.errors import BuildError, WriteError
from codegen.provenance import digest
from codegen.render import render
from codegen.trust.check import Findings, Subject
from codegen.trust.function_texts import text_digests
from codegen.trust.mutants.campaign import Campaign
from codegen.trust.oracles import ORACLES
from codegen.trust.report import mutants_json
from codegen.trust.selftest import with_selftests

JSON_NAME, MARKDOWN_NAME = "certificate.json", "certificate.md"
FORMAT = 1
TEXTS = (".c", ".py")  # files whose functions have digests


def certificate(
    what: Subject,
    findings: Findings,
    folder: str | Path,
    *,
    samples: int,
    seed: int,
    campaign: Campaign | None = None,
) -> dict[str, Any]:
    """The certificate as plain data; `folder` is where it goes, beside files that have functions over many states or not."""
    robot = what.sources[0].robot
    files = _files(what, Path(folder))
    functions = {p.name: _record(p.name, what, findings) for p in what.programs}
    about: dict[str, Any] = {
        "certificate": FORMAT,
        "robot": robot.name,
        "identifier": robot.identifier,
        "model": robot.model_digest,
        "gravity": list(robot.gravity),
        "soagen": robot.soagen_version,
        "passes": findings.passes and (campaign is None or campaign.passes),
        "files": {path: digest(text) for path, text in files.items()},
        "texts": {
            path: text_digests(path, text, robot.identifier, functions)
            for path, text in files.items()
            if Path(path).stem == robot.identifier and path.endswith(TEXTS)
        },
        "checked": {
            "backends": [runner.name for runner in what.runners],
            "oracles": {o.name: _asked(o.name, o.about, findings) for o in ORACLES},
            "handed over": [str(handover) for handover in findings.matrix.handed],
            "states": [case.name for case in findings.matrix.cases],
            "samples": samples,
            "seed": seed,
        },
        "functions": {name: {**record, "digest": _digest(record)} for name, record in functions.items()},
        "laws": _laws(findings),
        "nonfinite": {
            "inputs": sum(v.inputs for v in findings.nonfinite),
            "passes": all(v.passes for v in findings.nonfinite),
        },
        "mutants": None if campaign is None else mutants_json(campaign),
    }
    return {**about, "digest": _digest(about), "environment": _environment(findings)}


def certificate_texts(data: dict[str, Any]) -> dict[str, str]:
    """File name to text."""
    return {JSON_NAME: json.dumps(data, indent=2, ensure_ascii=False) + "\n", MARKDOWN_NAME: _markdown(data)}


def verify(path: str | Path, model_digest: str | None = None) -> list[str]:
    """What differs between a certificate and itself, the files beside it and the model; one line each, none if nothing does."""
    file = Path(path) / JSON_NAME if Path(path).is_dir() else Path(path)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return list(_differences(data, file, model_digest))
    except OSError as error:
        raise WriteError(f"cannot read {file}: {error.strerror or error}; make one with --certificate DIR") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WriteError(f"{file} is not a certificate ({error}); make one with --certificate DIR") from error


def _differences(data: dict[str, Any], file: Path, model_digest: str | None) -> Iterator[str]:
    record_faults = [
        f"{file.name}: the record of {name} was changed"
        for name, record in data["functions"].items()
        if record["digest"] != _digest({k: v for k, v in record.items() if k != "digest"})
    ]
    yield from record_faults
    rest = {k: v for k, v in data.items() if k not in ("digest", "environment")}
    if not record_faults and data["digest"] != _digest(rest):
        names = ", ".join(data["functions"])
        yield f"{file.name}: its digest does not fit what it says of {names}"
    if model_digest is not None and model_digest != data["model"]:
        names = ", ".join(data["functions"])
        yield f"the model is another one ({model_digest[:16]}…, not {data['model'][:16]}…): {names} are not certified for it"
    for path, expected in data["files"].items():
        beside = file.parent / path
        if not beside.is_file():
            yield f"{path} is missing"
            continue
        text = beside.read_bytes().decode(errors="replace")
        if digest(text) != expected:
            yield f"{path} is not the file that was checked: {_where(path, text, data)}"
    if not data["passes"]:
        yield f"{file.name}: the check it reports did not pass"


def _where(path: str, text: str, data: dict[str, Any]) -> str:
    """The functions whose text differs."""
    known = data["texts"].get(path)
    if known is None:
        return "its digest differs"
    found = text_digests(path, text, data["identifier"], data["functions"])
    differing = [name for name in known if found.get(name) != known[name]]
    return f"{', '.join(differing)} {'differs' if len(differing) == 1 else 'differ'}"


def _files(what: Subject, folder: Path) -> dict[str, str]:
    """The files that `soagen generate` writes of what was checked."""
    robot = what.sources[0].robot
    doubles = [source for source in what.sources if source.real == "double"] or list(what.sources)

    def texts(batch: bool) -> dict[str, str]:
        sources = [render(robot, what.programs, s.backend, s.real, what.trig, batch) for s in doubles]
        return {path: text for s in with_selftests(sources, what.model, what.programs) for path, text in s.items()}

    plain, full = texts(False), texts(True)
    return full if any((folder / path).exists() for path in full.keys() - plain.keys()) else plain


def _asked(name: str, about: str, findings: Findings) -> str:
    why = dict(findings.matrix.oracles).get(name, "not asked")
    return f"not asked: {why}" if why else about


def _record(function: str, what: Subject, findings: Findings) -> dict[str, Any]:
    """What was found about one function: its program, and its worst error by backend."""
    facts = next(facts for source in what.sources for facts in source.functions if facts.name == function)
    worst: dict[str, dict[str, Any]] = {}
    for v in findings.matrix.verdicts:
        if v.function == function and not v.worst <= worst.get(v.backend, {}).get("of allowed", -1.0):
            worst[v.backend] = {
                "against": v.oracle,
                "absolute": v.absolute,
                "relative": v.relative,
                "ulps": v.ulps,
                "allowed": v.allowed,
                "of allowed": v.worst,
                "state": v.case,
            }
    oracles = dict.fromkeys(v.oracle for v in findings.matrix.verdicts if v.function == function)
    laws = dict.fromkeys(v.law for v in findings.laws if function in v.functions)
    own = [v.passes for v in findings.matrix.verdicts if v.function == function]
    own += [v.passes for v in findings.nonfinite if v.function == function]
    own += [v.passes for v in findings.laws if function in v.functions]
    return {
        "passes": all(own),
        "program": facts.program_digest,
        "oracles": list(oracles),
        "laws": list(laws),
        "worst": worst,
    }


def _laws(findings: Findings) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for v in findings.laws:
        if not v.worst <= found.get(v.law, {}).get("of allowed", -1.0):
            found[v.law] = {"passes": v.passes, "of allowed": v.worst, "backend": v.backend, "state": v.case}
    return found


def _environment(findings: Findings) -> dict[str, Any]:
    """Versions and the machine: what may differ between two certificates of the same thing."""
    asked = {name for name, why in findings.matrix.oracles if not why}
    try:
        compiler = find_compiler()
        command, flags = " ".join(compiler.command), list(compiler.flags)
    except BuildError:
        command, flags = "none", []
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.machine(),
        "system": platform.system(),
        "compiler": command,
        "flags": flags,
        "oracles": {o.name: version for o in ORACLES if o.name in asked and (version := o.version())},
    }


def _digest(data: Any) -> str:
    return digest(json.dumps(data, sort_keys=True, ensure_ascii=True))


def _markdown(data: dict[str, Any]) -> str:
    states, mutants = data["checked"]["states"], data["mutants"]
    lines = [
        f"# Certificate of {data['robot']}",
        "",
        f"{'All checks pass' if data['passes'] else 'CHECKS FAIL'}: {len(data['functions'])} functions by "
        f"{len(data['checked']['backends'])} backends ({', '.join(data['checked']['backends'])}) at {len(states)} states "
        f"(seed {data['checked']['seed']}), soagen {data['soagen']}.",
        "",
        f"Model sha256 `{data['model']}`, gravity {tuple(data['gravity'])}.",
        "",
        "## Worst errors",
        "",
        "| function | against | backend | relative error | ulps | of what rounding may do | at state |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, record in data["functions"].items():
        if not record["worst"]:  # no entry that could be wrong: a robot without joints
            continue
        backend, w = max(record["worst"].items(), key=lambda item: item[1]["of allowed"])
        lines.append(
            f"| `{name}` | {', '.join(record['oracles'])} | {backend} | {w['relative']:.1e} | {w['ulps']:.3g} | "
            f"{100 * w['of allowed']:.2g} % | {w['state']} |"
        )
    lines += ["", "## Laws", "", "| law | of what rounding may do | backend | at state |", "|---|---|---|---|"]
    lines += [
        f"| {name} | {100 * law['of allowed']:.2g} % | {law['backend']} | {law['state']} |"
        for name, law in data["laws"].items()
    ]
    lines += ["", "## Mutants", "", "Not run." if mutants is None else _mutant_text(mutants)]
    lines += ["", "## Oracles", "", *(f"* {name}: {about}" for name, about in data["checked"]["oracles"].items())]
    lines += [f"* {text}" for text in data["checked"]["handed over"]]
    lines += ["", "## Files", "", *(f"* `{path}` sha256 `{value}`" for path, value in data["files"].items())]
    lines += ["", "## Environment", "", *(f"* {name}: {_shown(value)}" for name, value in data["environment"].items())]
    return "\n".join(lines) + "\n"


def _mutant_text(mutants: dict[str, Any]) -> str:
    text = (
        f"{mutants['mutants']} mutants of the emitted files: {mutants['killed']} killed, {mutants['equivalent']} equivalent "
        f"({mutants['equal as functions']} of them equal as functions); "
        f"kill rate of the others {100 * mutants['kill rate']:.4g} %."
    )
    return "\n".join(
        [text, "", *(f"* {s['backend']}: {s['mutant']}: {s['reason']}" for s in mutants["survivors"])]
    ).rstrip()


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(value.values())
    return " ".join(value) if isinstance(value, list) else str(value)
