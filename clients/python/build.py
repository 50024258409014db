"""Builds the wheel and the source distribution into `dist`. Includes the license of the repository."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from flit_core.buildapi import build_sdist, build_wheel

HERE = Path(__file__).parent

os.chdir(HERE)
shutil.copyfile(HERE / "../../LICENSE", HERE / "LICENSE")
shutil.rmtree("dist", ignore_errors=True)
Path("dist").mkdir()
print(f"dist/{build_wheel('dist')}")
print(f"dist/{build_sdist('dist')}")
