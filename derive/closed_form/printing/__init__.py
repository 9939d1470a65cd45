"""Formulas in each notation: text, LaTeX, MathML, Markdown, Python, C, JSON and SymPy. One file each."""
