import xml.etree.ElementTree as ET

from codegen.trust.cases import draw_cases
from codegen.trust.matrix import judge
from codegen.trust.plots import plots


def test_a_picture_per_function(ur5):
    matrix = judge(ur5.model, ur5.programs, ur5.runners, draw_cases(ur5.model, 3, 0), ur5.gravity)
    pictures = plots(matrix)
    assert set(pictures) == {f"{p.name}.errors.svg" for p in ur5.programs}
    text = pictures["mass_matrix.errors.svg"]
    ET.fromstring(text)
    assert text.count("<circle") == len(matrix.cases) * 2  # NumPy one by one and in a batch
    assert "rounded to float32" in text
