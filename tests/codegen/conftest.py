import pytest


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Kernels compiled by tests stay out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOAGEN_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
