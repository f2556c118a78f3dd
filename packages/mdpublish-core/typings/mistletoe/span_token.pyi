# The classes of mistletoe 1.6 that `to_mistletoe` makes.
from mistletoe import token

class SpanToken(token.Token): ...

class RawText(SpanToken):
    content: str

class Strong(SpanToken):
    delimiter: str

class Emphasis(SpanToken):
    delimiter: str

class Strikethrough(SpanToken): ...
class InlineCode(SpanToken): ...

class Image(SpanToken):
    src: str
    title: str
    dest_type: str
    label: str | None
    title_delimiter: str

class Link(SpanToken):
    target: str
    title: str
    dest_type: str
    label: str | None
    title_delimiter: str

class AutoLink(SpanToken):
    target: str
    mailto: bool

class LineBreak(SpanToken):
    content: str
    soft: bool

class HtmlSpan(SpanToken):
    content: str
