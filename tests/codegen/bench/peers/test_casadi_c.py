"""CasADi's side is played by our own kernel behind CasADi's interface: sparse, by columns, only the upper triangle."""

import pytest

from codegen.bench.peers import casadi_c
from codegen.bench.peers.casadi_c import CasadiC, Generated
from codegen.bench.problem import AGREEMENT, disagreement
from codegen.cost import OperationCount

INTERFACE = """
static const long long pattern[] = {2, 2, 0, 1, 3, 0, 0, 1};
const long long *%(symbol)s_sparsity_out(long long i) { return pattern; }
int %(symbol)s_work(long long *a, long long *r, long long *iw, long long *w) { *a = 1; *r = 1; *iw = 0; *w = 4; return 0; }
int %(symbol)s(const double **arg, double **res, long long *iw, double *w, int mem)
{
    planar_2r_mass_matrix(arg[0], w);
    res[0][0] = w[0];
    res[0][1] = w[1];
    res[0][2] = %(scale)s * w[3];
    return 0;
}
"""


@pytest.fixture
def played(planar, monkeypatch):
    """Lets CasADi 'generate' our mass matrix, one entry scaled."""

    def play(scale):
        def generated(robot, algorithm, gravity):
            source = planar.kernels.source
            text = source["planar_2r.c"].replace('#include "planar_2r.h"', source["planar_2r.h"])
            whole = text + INTERFACE % {"symbol": algorithm.symbol, "scale": scale}
            return Generated(algorithm.symbol, whole, OperationCount(3, 2))

        monkeypatch.setattr(casadi_c, "generated", generated)
        return CasadiC().contenders(planar, "mass_matrix")

    return play


def test_generated_code_is_called_and_its_sparse_result_read(planar, played):
    contenders = played(1.0)
    assert len({contender.variant for contender in contenders}) == len(contenders) >= len(casadi_c.FLAGS)
    for contender in contenders:
        contender.run(2)
        assert disagreement(contender, planar.expected("mass_matrix")) <= AGREEMENT
        assert contender.operations == OperationCount(3, 2)


def test_a_wrong_entry_is_seen(planar, played):
    assert disagreement(played(1.001)[0], planar.expected("mass_matrix")) > AGREEMENT
