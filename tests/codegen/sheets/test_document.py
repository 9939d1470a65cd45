"""Whole-robot documents: nothing large is dumped, every entry is there, and each format is one its readers accept."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest

from codegen.errors import WriteError
from codegen.sheets.document import BUDGET, document, with_maths
from derive import load_model
from derive.closed_form import ClosedForms
from derive.closed_form.forms.choice import closed_forms
from derive.random_models import random_tree

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PDFLATEX = shutil.which("pdflatex")


@pytest.fixture(scope="module")
def panda_html():
    return document(ClosedForms(load_model("panda")), ".html", 6)


@pytest.fixture(scope="module")
def puma():
    return closed_forms(load_model("puma560"))


def test_the_same_robot_gives_the_same_bytes():
    model = load_model("planar_2r")
    for suffix in (".html", ".tex", ".md"):
        assert document(closed_forms(model), suffix, 6) == document(closed_forms(model), suffix, 6)


def test_html_is_well_formed_and_needs_no_network(panda_html):
    body = panda_html.split("\n", 1)[1].replace('<meta charset="utf-8">', "")
    root = ET.fromstring(body)
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", panda_html)
    assert not [e for e in root.iter() if e.tag.endswith(("script", "link", "img"))]


def test_pandas_document_is_for_reading(panda_html):
    assert len(panda_html) < 400_000
    assert "805" in panda_html, "sizes are shown"
    assert "805 terms when expanded" in panda_html
    rows = re.findall(r"<mtr>.*?</mtr>", panda_html)
    assert max(len(re.sub(r"<[^>]*>", "", row)) for row in rows) < 250, "no line is longer than a page is wide"
    assert panda_html.count("proved") >= 10
    for word in ("Mass matrix", "Coriolis", "Gravity forces", "papers&#x27; k", "panda_joint7"):
        assert word in panda_html


def test_no_entry_of_a_document_exceeds_the_budget():
    from derive.closed_form.selectors import parse_selector
    from derive.closed_form.sheets import sheet

    model = load_model("panda")
    found = sheet(ClosedForms(model), parse_selector("M", model), budget=BUDGET)
    assert max(f.terms for f in found.formulas) <= BUDGET


def test_markdown_of_the_puma_has_the_published_constants(puma):
    text = document(puma, ".md", 6)
    assert "M_{4,4} &= I_{14} - I_{20} s_{5}^{2}" in text
    assert "I_{23} &= I_{zz6}" in text
    assert "| law | verdict | equations | what it says |" in text
    assert r"\Gamma_{1,1,2}" in text


def test_constants_are_given_once_and_zeros_with_their_reason(puma):
    text = document(puma, ".md", 6)
    assert text.count("I_{23} &= I_{zz6}") == 1
    assert "The constants are those above." in text
    assert "$M_{4,5}$ = 0: the axes of joint4 and joint5 are intersecting at right angles" in text
    assert r"$\Gamma_{1,1,1}$, $\Gamma_{2,1,2}$, $\Gamma_{3,1,3}$" in text


def test_mathematics_in_prose_is_typeset(puma):
    assert r"$C(i,j) = \sum _{k} \Gamma (i,j,k) \dot{q}_{k}$" in document(puma, ".tex", 6)
    assert "<i>q̇</i><sub><i>k</i></sub>" in document(puma, ".html", 6)
    for suffix in (".tex", ".md"):
        words = re.sub(r"\$[^$]*\$|\$\$.*?\$\$", "", document(puma, suffix, 6), flags=re.DOTALL)
        assert not re.search(r"Σ_k|q̇_k|_ijk", words.replace("\\", ""))


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ("M = M*", "$M = M*$"),
        ("C q̇ by Γ = C by Newton–Euler", "$C q̇$ by $Γ = C$ by Newton–Euler"),
        ("½ q̇*M q̇ = ½ Σ V*MV", "$½ q̇*M q̇ = ½ Σ V*MV$"),
        ("Γ_ijk = −Γ_kji, j inboard of i and k", "$Γ_ijk = −Γ_kji, j$ inboard of $i$ and $k$"),
    ],
)
def test_the_words_of_a_law_are_not_mathematics(law, expected):
    assert with_maths(law) == expected


def test_robots_with_quaternions_and_branches_have_documents():
    text = document(ClosedForms(random_tree(2, 1, ("revolute", "spherical"), floating=True)), ".md", 4)
    assert "quaternion" in text
    assert "At odd angles" in text


def test_unknown_kinds_of_documents_are_refused():
    with pytest.raises(WriteError, match=r"\.html, \.tex, \.md"):
        document(ClosedForms(load_model("planar_2r")), ".pdf", 6)


@pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium: apt-get install chromium")
def test_html_renders_in_a_browser(tmp_path, panda_html):
    page, picture = tmp_path / "panda.html", tmp_path / "panda.png"
    page.write_text(panda_html)
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'profile'}",
        "--host-rules=MAP * ~NOTFOUND",
    ]
    shown = subprocess.run(
        [CHROMIUM, *flags, "--window-size=1200,2000", f"--screenshot={picture}", page.as_uri()],
        capture_output=True,
        timeout=120,
    )
    assert shown.returncode == 0
    assert picture.stat().st_size > 50_000, "an empty page would be smaller"
    script = page.read_text().replace(
        "</body>",
        "<p id='wide'></p><script>document.getElementById('wide').textContent = 'widest ' + Math.max(...Array.from("
        "document.querySelectorAll('math'), m => m.getBoundingClientRect().width)) + ' of ' + document.body.clientWidth"
        " + ' dots ' + Math.min(...Array.from(document.querySelectorAll('mover'), m => m.children[0].getBoundingClientRect()"
        ".top - m.children[1].getBoundingClientRect().top));</script></body>",
    )
    page.write_text(script)
    dumped = subprocess.run(
        [CHROMIUM, *flags, "--window-size=1200,2000", "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    found = re.search(r"widest ([\d.]+) of (\d+) dots ([-\d.]+)", dumped.stdout)
    widest, width, dots = map(float, found.groups())
    assert 300 < widest <= width, "formulas are laid out, and none sticks out of the page"
    assert dots > 3, "the dot of a rate stands above its letter"


@pytest.mark.skipif(PDFLATEX is None, reason="needs pdflatex")
@pytest.mark.parametrize("name", ["planar_2r", "puma560"])
def test_latex_compiles(name, puma, tmp_path):
    forms = puma if name == "puma560" else closed_forms(load_model(name))
    (tmp_path / "model.tex").write_text(document(forms, ".tex", 6))
    done = subprocess.run(
        [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "model.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        errors="replace",
    )
    assert done.returncode == 0, done.stdout[-1500:]
    wide = [float(x) for x in re.findall(r"Overfull \\hbox \(([\d.]+)pt", done.stdout)]
    assert max(wide, default=0.0) < 40


def test_a_document_says_which_laws_are_sampled(panda_html):
    assert "sampled, chance of error &lt; 1e-30" in panda_html
    assert "compared at a random point modulo a random prime" in panda_html
