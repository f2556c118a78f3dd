# What readers/docx uses of mammoth, which has no types of its own.

from typing import BinaryIO

class Result:
    value: str

def convert_to_html(
    fileobj: BinaryIO,
    *,
    style_map: str = ...,
    include_default_style_map: bool = ...,
    include_embedded_style_map: bool = ...,
) -> Result: ...
