"""Downloads, verifies, subsets and measures the fonts, reproducibly to the byte. Run by `nox -s fonts`."""

import tempfile

import formulas
import images
import pages
from families import FACES, FAMILIES, STANDARDS, SYMBOLS
from sources import Archives


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        archives = Archives([*FACES, *FAMILIES, *STANDARDS.values(), SYMBOLS], folder)
        pages.write_facts(pages.build(archives), formulas.build(archives))
        images.build(archives)


if __name__ == "__main__":
    main()
