"""Markdown and its front matter, read without rendering; versions compared and merged."""

from mdpublish_core.front_matter import OPENINGS
from mdpublish_core.merging.versions import MergedBlocks, mark_changes, merged_blocks
from mdpublish_core.notices import limit_notices, sorted_by_position
from mdpublish_core.options.extensions import Extension
from mdpublish_core.readers.markdown import added_extensions, parse_markdown, read_front_matter
from mdpublish_core.readers.markdown.document import normalize
from mdpublish_core.readers.markdown.front_matter import FrontMatterBlock, find_front_matter
from mdpublish_core.readers.markdown.yaml_values import double_quoted
from mdpublish_core.strings.positions import SourcePosition
from mdpublish_core.writers.document_defaults import DEFAULT_TEMPLATE, defaults_of, ignored_notice, title_of
from mdpublish_core.writers.language import DEFAULT_LANGUAGE, language_tag
