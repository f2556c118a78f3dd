"""Diagrams, charts and formulas of a document, rendered as SVG, PNG, MathML, Office Math or text.

    render: requests ──▶ pool: cache ──▶ worker: engine ──▶ svg: sanitizer, contrast ──▶ rasterizer, png_palette ──▶ results

Engines know nothing of documents, and a worker sanitizes what they return, so none can skip it. The first figure starts
a worker process; one more comes for each forty new figures, or with calls of several threads, at most four and never
more than processors. A forked process starts its own, since two writers on one pipe would get each other's results.
Time limits begin after the engine is loaded, and count CPU time. The wall clock, ten times as long, ends what hangs.

An image depends on the background, text color and size where it stands. A document with such places is first written
without figures, to learn them, and then all are rendered in one batch (`render`). A figure with small text is laid out
in the other direction after all figures are rendered once, so that no second form takes time from a first one.

Steps are counted in the order of the document (`allowance`), so that neither the cache nor the number of processes
decides where it is cut. What steps do not show, such as the layout of dense graphs, CPU time bounds.

The engines are installed with the extra `mdpublish-core[figures]`; without it they raise `MissingExtra`.

render            entry point: collects requests, returns results and notices
errors            FigureError, for a mistake in the source
request           data types: FigureRequest, FigureTheme, EngineOutput, RenderedFigure, FailedFigure
results           what rendering gave: RenderedFigures
costs             the steps that a figure costs; allowance: what those of a document may cost
pool              the caches and the worker processes
protocol          requests and results as bytes, over a pipe
worker            runs in a worker process: the engines that resources/figure_kinds.py names
charts/  graphviz/  math/  mermaid/      the engines
svg/              the SVG sanitizer; all engine output passes through it
outlines  graphs  what a figure says: statements, nodes and edges; text and alternative text
ascii_art         which text art shows a graph and nothing else
words             words of a source that a figure loses
dress             the form that a theme gives figures; a module of each engine applies it
repairs           corrected lines of a source that an engine refuses
rasterizer  png_palette  fonts  line_breaking  patterns  boxes
"""
