from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from ecc_package import install
from tenterhook.runners.contract import Limits


@pytest.fixture(params=["cold", "warm"])
async def limits(request: pytest.FixtureRequest) -> AsyncGenerator[Limits]:
    """Of an engine that starts a process for every call, and of one that has workers."""
    made = Limits(workers=request.param == "warm")
    yield made
    for lasting in made.lasting.values():
        await lasting.close()


@pytest.fixture(scope="session")
def package() -> Path:
    return install()
