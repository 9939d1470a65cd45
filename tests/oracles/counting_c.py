"""What the C functions of a file do, counted as they run: the file compiled as C++ with a type that counts for its numbers."""

import re

from oracles.compilers import run

COUNTING = """#include <cmath>
#include <cstddef>
#include <cstdio>
static long done[5];
struct number { double v; number(double x = 0.0) : v(x) {} };
static number operator*(number a, number b) { ++done[0]; return a.v*b.v; }
static number operator+(number a, number b) { ++done[1]; return a.v + b.v; }
static number operator-(number a, number b) { ++done[1]; return a.v - b.v; }
static number operator/(number a, number b) { ++done[2]; return a.v/b.v; }
static number operator-(number a) { return -a.v; }
static number &operator+=(number &a, number b) { ++done[1]; a.v += b.v; return a; }
static number sqrt(number a) { ++done[3]; return std::sqrt(a.v); }
static number sin(number a) { ++done[4]; return std::sin(a.v); }
static number cos(number a) { ++done[4]; return std::cos(a.v); }
static number given[64], found[4][4096];
"""


def operations_done(source, directory):
    """Function to (multiplications, additions, divisions, square roots, sines and cosines) of one call, of libm's C."""
    name = source.robot.identifier
    declarations = re.findall(rf"^void ({name}_\w+)\(([^)]*)\);", source[f"{name}.h"], re.MULTILINE)
    text = source[f"{name}.h"] + source[f"{name}.c"]
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.DOTALL)
    text = re.sub(r"#include .*\n", "", text)
    text = re.sub(r"\bdouble\b", "number", re.sub(r"\brestrict\b", "__restrict", text))
    calls = []
    for function, arguments in declarations:
        outputs = iter(range(4))
        passed = ["given" if "const" in text else f"found[{next(outputs)}]" for text in arguments.split(",")]
        calls.append(f"for (long &n : done) n = 0;\n{function}({', '.join(passed)});\n")
        calls.append(f'std::printf("{function}"); for (long n : done) std::printf(" %ld", n); std::puts("");\n')
    filled = "for (int i = 0; i < 64; ++i) given[i] = 0.1 + 0.07*i;"
    (directory / "done.cpp").write_text(f"{COUNTING}{text}int main() {{\n{filled}\n{''.join(calls)}}}\n")
    run("g++", "-std=c++17", "-O0", "-w", directory / "done.cpp", "-o", directory / "done")
    lines = [line.split() for line in run(directory / "done").splitlines()]
    return {function.removeprefix(f"{name}_"): tuple(map(int, counts)) for function, *counts in lines}
