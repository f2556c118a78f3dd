"""READMEs of well-known npm packages: what people write when nobody thinks of parsers.

Between them: tables, nested and ordered lists, reference links, raw HTML, badges, fenced code of many languages, emoji,
and three that are longer than 20 KB.
"""

from tests.corpora.npm import PackagedFile, fetch

READMES = (
    # 10 KB: nested lists, reference definitions, badges.
    PackagedFile(
        package="express",
        version="5.3.0",
        path="Readme.md",
        sha256="600f9f3a8fe35c9657e3bb61d2afbfee9bfe788a764892596bef49ede3c9ef0e",
    ),
    # 42 KB: a contents list three levels deep, much code, a table.
    PackagedFile(
        package="commander",
        version="15.1.0",
        path="Readme.md",
        sha256="b8da3574e5c21bca9cb82c616f87322c25f25b1502652dbd4f396165286b45fd",
    ),
    # 28 KB: wide tables full of emoji, reference links inside cells.
    PackagedFile(
        package="eslint-plugin-import",
        version="2.32.0",
        path="README.md",
        sha256="371357521dbb44674bb435ff9a0999a9b7298e0f3d12b1a599f9b7be6c9c9388",
    ),
    # 23 KB: ordered lists, pictures in raw HTML, thematic breaks, details.
    PackagedFile(
        package="inquirer",
        version="14.2.5",
        path="README.md",
        sha256="13c365916112363e573296385c5c9edc0b8b1e0028412a4b7f6e9ad6fdc30ea2",
    ),
    # 80 KB: more raw HTML than Markdown, badges in tables, 62 reference definitions.
    PackagedFile(
        package="webpack",
        version="5.112.2",
        path="README.md",
        sha256="0b959a147e8b875e42f77fa5804c8d4e70f86b3399d4baba9d90d2f756dd2e0f",
    ),
)


def readmes() -> dict[str, str]:
    """Return the READMEs by their packages' names."""
    return {file.package: fetch(file).decode("utf-8") for file in READMES}
