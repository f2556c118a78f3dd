"""The checks of the contract: each module has those of a group of claims, and importing it registers them."""

from importlib import import_module
from pkgutil import iter_modules

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")
