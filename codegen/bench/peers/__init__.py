"""Other people's code on the same robot, each behind `Peer`: checked against our kernels first, then timed beside them."""

from __future__ import annotations

from codegen.bench.peers.casadi_c import CasadiC
from codegen.bench.peers.mujoco_c import MujocoC
from codegen.bench.peers.peer import Peer
from codegen.bench.peers.pinocchio_cpp import PinocchioCpp
from codegen.bench.peers.pinocchio_python import PinocchioPython

PEERS: tuple[Peer, ...] = (
    PinocchioCpp(),
    PinocchioCpp("Pinocchio C++, batch", batched=True),
    CasadiC(),
    MujocoC(),
    PinocchioPython(),
)
