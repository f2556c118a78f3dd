"""Starts `mdpublish mcp` with the bundle's packages for the Python that runs it. Arguments are folders, or none."""

import os
import sys
from pathlib import Path

LIBRARIES = Path(__file__).parent / "lib"
CHOSEN = LIBRARIES / f"{sys.version_info.major}.{sys.version_info.minor}"

if not CHOSEN.is_dir():
    versions = ", ".join(sorted(path.name for path in LIBRARIES.iterdir() if path.name != "common"))
    sys.exit(f"mdpublish's bundle is for Python {versions} (got {sys.version.split()[0]}); install one of these")
sys.path[:0] = [str(CHOSEN), str(LIBRARIES / "common")]
# Without folders, the placeholder stays.
folders = [os.path.expanduser(each) for each in sys.argv[1:] if each and not each.startswith("${")]  # noqa: PTH111  (text, not a path)
sys.argv = ["mdpublish", "mcp", *(argument for folder in folders for argument in ("--folder", folder))]

from mdpublish_core.__main__ import main  # noqa: E402

main()
