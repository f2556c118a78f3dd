"""Writers: what turns a tree of nodes into an output. The table of outputs is `outputs`.

A destination is a renderer class with a method for each class of nodes. Destinations that are alike share code by
subclassing, and what two of them decide alike stands below both: in `structure`, `figures`, `table_fit` and `styled`.

One set of rules serves all. A template's rules select the markup of `generic`. Where no stylesheet survives, as in
emails and word processors, a renderer moves a cursor through the same rules while it writes: it enters `blockquote` or
`div.callout.note` as the document is structured, whatever it writes (a cell, for example), and gets the computed style.
Renderers say which child is the last when they enter it, since the cursor cannot look ahead. Marks of headings and
ornaments are characters, since `content` of CSS is lost in email and on the clipboard.

What is pasted cannot change the color of a page in Google Docs, Word or OneNote, and light text is unreadable on white.
So a dark theme is in cells there, and light mode on the page, by two cursors; OneNote's page is one cell.

Images are never fetched. One on a server stays a URL, and a `data:` URL of a type that cannot run code becomes an
attachment in an email. Results that destinations share, such as anchors and highlighted code, are computed once.
"""

from mdpublish_core.writers.context import RenderContext, render_figures_for

__all__ = ["RenderContext", "render_figures_for"]
