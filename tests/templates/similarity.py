"""Visual similarity of templates without colors and letters."""

from io import BytesIO
from typing import TYPE_CHECKING

from mdpublish_core import PageOptions, render
from mdpublish_core.templates import Template, ThemeMode
from tests.templates.measurements import SPECIMEN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from playwright.sync_api import Page

MAX_SIMILARITY = 0.9
"""The structural similarity of two pages of one mode."""

WINDOW = {"width": 1280, "height": 1600}
BLUR = 4.0
"""In px: text becomes gray lines."""


def screenshot(page: "Page", template: Template, theme_mode: ThemeMode) -> bytes:
    page.set_viewport_size(WINDOW)  # type: ignore[arg-type]
    page.set_content(
        render(
            SPECIMEN, to="page", options=PageOptions(title="Specimen"), template=template, theme_mode=theme_mode
        ).html
    )
    return page.screenshot()


def blurred(png: bytes) -> "NDArray[np.float32]":
    import numpy as np
    from PIL import Image
    from scipy.ndimage import gaussian_filter

    grey = np.asarray(Image.open(BytesIO(png)).convert("L"), dtype=np.float32) / 255
    result: NDArray[np.float32] = gaussian_filter(grey, BLUR)
    return result


def similarity(one: "NDArray[np.float32]", other: "NDArray[np.float32]") -> float:
    """Wang et al., 2004."""
    from skimage.metrics import structural_similarity

    return float(structural_similarity(one, other, data_range=1.0))
