# What templates/independent_inlining.py uses of premailer 3, which has no types of its own.

from collections.abc import Sequence

class Premailer:
    def __init__(
        self,
        html: object = None,
        *,
        css_text: Sequence[str] | None = None,
        strip_important: bool = True,
        disable_basic_attributes: Sequence[str] | None = None,
        disable_validation: bool = False,
        disable_leftover_css: bool = False,
        align_floating_images: bool = True,
        include_star_selectors: bool = False,
        allow_network: bool = True,
        allow_loading_external_files: bool = False,
        cssutils_logging_level: int | None = None,
    ) -> None: ...
    def transform(self) -> object: ...
