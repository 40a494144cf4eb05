"""Collecting tests is cheap: every process of a parallel run does it for itself, on empty caches too."""


def test_collection_loads_no_engine(request):
    """The kernels of the engine are compiled where they are imported, a minute of work."""
    loaded = request.config.loaded_by_collection
    assert [name for name in loaded if name.startswith("tisserand.multibody.recursive._kernels")] == []
    assert "tests.test_collection" in loaded or any(name.endswith("test_collection") for name in loaded)
