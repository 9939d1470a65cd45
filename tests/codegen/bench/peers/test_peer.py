import pytest

from codegen.bench.peers import PEERS, peer
from codegen.bench.peers.peer import PeerError


@pytest.mark.parametrize("one", PEERS, ids=lambda one: one.name)
def test_a_peer_that_is_not_installed_says_what_to_install(one, monkeypatch):
    monkeypatch.setattr(peer, "find_spec", lambda module: None)
    with pytest.raises(PeerError, match="not installed; pip install"):
        one.version()


def test_peers_have_names_of_their_own():
    assert len({one.name for one in PEERS}) == len(PEERS)
