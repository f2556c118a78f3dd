"""Outputs of the example plug-ins, which need not be installed for it."""

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from mdpublish_core import Output

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


@cache
def example_output(name: str) -> Output:
    """Return the output of the package `mdpublish-NAME`."""
    file = EXAMPLES / f"mdpublish-{name}" / f"mdpublish_{name}.py"
    spec = spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules.setdefault(file.stem, module)
    spec.loader.exec_module(module)
    output: Output = getattr(module, name.upper())
    return output
