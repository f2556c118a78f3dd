# ruff: noqa: T201  (prints its findings)
"""A blind task for viewers: two crops, of one template or of two?

`python -m tests.templates.matching make OUT KEY [--pairs 200] [--seed 1] [--width 375]` writes numbered pairs in `OUT/pairs`, ten
on a sheet in `OUT`, and the key, which viewers must not see. Half of the pairs show one template. The crops show the top of a
page and either a lower part of it or the top of another document. Most of the different templates are near to each other.

`python -m tests.templates.matching score KEY JUDGMENTS` compares judgments, lines such as `17 same` and `18 different`, with the key.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from mdpublish_core import get_template, list_templates, parse
from mdpublish_core.templates import THEME_MODES, ThemeMode
from tests.templates.design import all_designs, seen_distance
from tests.templates.measurements import SPECIMEN
from tests.templates.phone import DESKTOP, PHONE, View, open_template, phone_browser
from tests.templates.sheets import parts, sheet

if TYPE_CHECKING:
    from PIL.Image import Image
    from playwright.sync_api import Page

Crop = Literal["another part", "another document"]

ARTICLE = parse((Path(__file__).parents[1] / "browser" / "article.md").read_text("utf-8"))

CROP_HEIGHTS = {PHONE: 600, DESKTOP: 1000}
"""In px of the page."""

SHOWN_WIDTHS = {PHONE: 375, DESKTOP: 640}

COLUMNS = {PHONE: 3, DESKTOP: 2}
"""Of a sheet, so that it is as high as wide: viewers may see it smaller."""

NEAR_SHARE = 0.75
"""Of the pairs of different templates, those that are drawn from the nearest."""

NEAREST = 120
"""Pairs of each mode."""

PAIRS_A_SHEET = 10

# Where a crop may begin: above what a template gives a form, below the first crop.
_STARTS = """height => [...document.querySelectorAll("main h2, main blockquote, main pre, main .table, main .callout")]
  .map(element => element.getBoundingClientRect().top + scrollY - 30)
  .filter(top => top >= height && top + height <= document.documentElement.scrollHeight)"""


@dataclass(frozen=True, slots=True)
class Pair:
    number: int
    first: str
    second: str
    """Template ids."""

    mode: ThemeMode
    crop: Crop
    distance: float
    """Of what is seen."""

    @property
    def is_same(self) -> bool:
        return self.first == self.second


def draw_pairs(distances: dict[ThemeMode, dict[tuple[str, str], float]], count: int, random: Random) -> list[Pair]:
    """Draw half of the pairs from one template each, all templates as often, and half from two."""
    pages = [(template.id, mode) for template in list_templates() for mode in THEME_MODES]
    same: list[tuple[str, str, ThemeMode]] = []
    while len(same) < count // 2:
        random.shuffle(pages)
        same += [(each, each, mode) for each, mode in pages]
    near = [
        (*pair, mode) for mode, pairs in distances.items() for pair in sorted(pairs, key=pairs.__getitem__)[:NEAREST]
    ]
    everything = [(*pair, mode) for mode, pairs in distances.items() for pair in pairs]
    different_count = count - count // 2
    different = random.sample(near, min(len(near), round(different_count * NEAR_SHARE)))
    different += random.sample(everything, different_count - len(different))
    drawn = [*same[: count // 2], *different]
    random.shuffle(drawn)
    pairs = []
    for number, (first, second, mode) in enumerate(drawn, 1):
        one, other = random.sample((first, second), 2)
        crop: Crop = random.choice(("another part", "another document"))
        distance = 0.0 if one == other else distances[mode][first, second]
        pairs.append(Pair(number, one, other, mode, crop, round(distance, 3)))
    return pairs


def make(out: Path, key: Path, count: int, seed: int, view: View) -> None:
    random = Random(seed)
    (out / "pairs").mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, phone_browser(Path(folder)) as browser:
        page = browser.new_page()
        pairs = draw_pairs(_distances(page, view), count, random)
        images = {str(pair.number): _side_by_side(page, pair, view, random) for pair in pairs}
    for number, image in images.items():
        image.save(out / "pairs" / f"{int(number):03}.png")
    for sheet_number, part in enumerate(parts(images, PAIRS_A_SHEET), 1):
        sheet(part, COLUMNS[view]).save(out / f"sheet-{sheet_number:02}.png")
    key.write_text(json.dumps([asdict(pair) for pair in pairs], indent=1), "utf-8")
    print(f"{len(pairs)} pairs in {out}, key in {key}")


def _distances(page: "Page", view: View) -> dict[ThemeMode, dict[tuple[str, str], float]]:
    return {
        mode: {
            (one, other): seen_distance(designs[one], designs[other])
            for one in designs
            for other in designs
            if one < other
        }
        for (_, mode), designs in all_designs(page, [view]).items()
    }


def _side_by_side(page: "Page", pair: Pair, view: View, random: Random) -> "Image":
    """Return both crops side by side."""
    from PIL import Image

    documents = [SPECIMEN, ARTICLE]
    if pair.crop == "another part":
        first, second = _crop(page, pair.first, pair, view, None), _crop(page, pair.second, pair, view, random)
    else:
        random.shuffle(documents)
        first, second = (
            _crop(page, template_id, pair, view, None, is_article=document is ARTICLE)
            for template_id, document in zip((pair.first, pair.second), documents, strict=True)
        )
    image = Image.new("RGB", (first.width * 2 + 10, first.height), "#ff00ff")
    image.paste(first, (0, 0))
    image.paste(second, (first.width + 10, 0))
    return image


def _crop(
    page: "Page", template_id: str, pair: Pair, view: View, random: Random | None, *, is_article: bool = False
) -> "Image":
    """Return the top of the page, or with `random` a lower part."""
    from PIL import Image

    height, width = CROP_HEIGHTS[view], SHOWN_WIDTHS[view]
    open_template(page, get_template(template_id), pair.mode, view, ARTICLE if is_article else SPECIMEN)
    top = random.choice(page.evaluate(_STARTS, height)) if random else 0
    clip = {"x": 0, "y": top, "width": view.width, "height": height}
    screenshot = page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]
    image = Image.open(BytesIO(screenshot)).convert("RGB")
    return image.resize((width, height * width // view.width), Image.Resampling.LANCZOS)


def score(key: Path, judgments: Path) -> None:
    pairs = [Pair(**entry) for entry in json.loads(key.read_text("utf-8"))]
    given = read_judgments(judgments.read_text("utf-8"))
    if missing := [pair.number for pair in pairs if pair.number not in given]:
        print(f"{len(missing)} pairs have no judgment and count as wrong: {', '.join(map(str, missing[:20]))}")
    wrong = [pair for pair in pairs if given.get(pair.number) is not pair.is_same]
    _print_share("all", pairs, wrong)
    for is_same in (True, False):
        _print_share("same" if is_same else "different", [pair for pair in pairs if pair.is_same is is_same], wrong)
    for crop in ("another part", "another document"):
        _print_share(crop, [pair for pair in pairs if pair.crop == crop], wrong)
    for pair in wrong:
        print(f"{pair.number:4}  {pair.first} and {pair.second}, {pair.mode}, {pair.crop} ({pair.distance:.3f})")
    confused = Counter(frozenset((pair.first, pair.second)) for pair in wrong if not pair.is_same)
    for names, times in confused.most_common():
        if times > 1:
            print(f"{times} times: {' and '.join(sorted(names))}")


def read_judgments(content: str) -> dict[int, bool]:
    """Return whether each pair was said to be the same; raises `ValueError`."""
    words = {"same": True, "different": False}
    given = {}
    for line in content.splitlines():
        if line.strip():
            number, said = line.replace(":", " ").split()
            if said not in words:
                raise ValueError(f"a judgment must be `same` or `different` (got {said!r})")
            given[int(number)] = words[said]
    return given


def _print_share(label: str, pairs: Sequence[Pair], wrong: Sequence[Pair]) -> None:
    right = len([pair for pair in pairs if pair not in wrong])
    print(f"{label}: {right} of {len(pairs)} right ({right / max(1, len(pairs)):.1%})")


def main() -> None:
    parser = argparse.ArgumentParser(description="A blind task for viewers: two crops, of one template or of two?")
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="write the pairs and the key")
    making.add_argument("out", type=Path)
    making.add_argument("key", type=Path)
    making.add_argument("--pairs", type=int, default=200)
    making.add_argument("--seed", type=int, default=1)
    making.add_argument("--width", type=int, choices=[PHONE.width, DESKTOP.width], default=PHONE.width)
    scoring = commands.add_parser("score", help="compare judgments with the key")
    scoring.add_argument("key", type=Path)
    scoring.add_argument("judgments", type=Path)
    given = parser.parse_args()
    if given.command == "make":
        make(given.out, given.key, given.pairs, given.seed, PHONE if given.width == PHONE.width else DESKTOP)
    else:
        score(given.key, given.judgments)


if __name__ == "__main__":
    main()
