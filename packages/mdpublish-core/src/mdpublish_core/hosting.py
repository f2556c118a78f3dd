"""What a program needs to host mdpublish for others, as mdpublish-server does: see docs/reference/hosting.md.

Workers run jobs that may crash, confined. Front matter is read and written without rendering. The table of outputs says
what can be made of a text, and `render_for_clipboard` what is copied.
"""

from typing import TYPE_CHECKING

from mdpublish_core import lazy_names

if TYPE_CHECKING:
    from mdpublish_core.confinement import hide_memory
    from mdpublish_core.confinement.protections import Protection
    from mdpublish_core.figures.engines import find_engines
    from mdpublish_core.gallery import specimen_page
    from mdpublish_core.images import IMAGE_TYPES, rewrite_image
    from mdpublish_core.lru_cache import LruCache
    from mdpublish_core.mail_headers import id_header, is_email_address, mailbox_header, parse_mailbox, text_header
    from mdpublish_core.mail_server import MailServer, open_smtp, parse_smtp_url
    from mdpublish_core.merging.marking import mark_changes
    from mdpublish_core.merging.versions import merge_versions
    from mdpublish_core.notices import limit_notices, sorted_by_position
    from mdpublish_core.options.extensions import Extension
    from mdpublish_core.options.styles import PAGE_WIDTHS, THEME_MODES, PageWidth, ThemeMode
    from mdpublish_core.plugins import load_plugin, normalize_package
    from mdpublish_core.positions import SourcePosition
    from mdpublish_core.public_ips import is_public_ip
    from mdpublish_core.readers.formats import FORMAT_NAMES, MAX_FILE_BYTES, suffix_of
    from mdpublish_core.readers.html.sources import program_title
    from mdpublish_core.readers.markdown import added_extensions, parse_markdown, read_front_matter
    from mdpublish_core.readers.markdown.document import normalize
    from mdpublish_core.readers.markdown.front_matter import FrontMatterBlock, find_front_matter
    from mdpublish_core.readers.markdown.raw_html.tokenizer import Tag, tokenize
    from mdpublish_core.readers.markdown.yaml_values import double_quoted
    from mdpublish_core.resources.known_elements import RAW_TEXT_TAGS
    from mdpublish_core.site_palette import site_palette
    from mdpublish_core.social_images import SOCIAL_IMAGE_VERSION
    from mdpublish_core.templates.hosted_fonts import hosted_files
    from mdpublish_core.templates.theme import CATEGORIES, Category
    from mdpublish_core.templates.web_fonts import font_family_css
    from mdpublish_core.workers import (
        ForkServer,
        JobFailed,
        JobStalled,
        JobTimedOut,
        JobTooLarge,
        Worker,
        WorkerFailure,
    )
    from mdpublish_core.workers.limits import MEMORY_BYTES
    from mdpublish_core.writers.clipboard import render_for_clipboard
    from mdpublish_core.writers.delivery import delivery_summary
    from mdpublish_core.writers.document_defaults import DEFAULT_TEMPLATE, defaults_of, ignored_notice, title_of
    from mdpublish_core.writers.language import DEFAULT_LANGUAGE, language_tag
    from mdpublish_core.writers.options import requested_options
    from mdpublish_core.writers.options.declared import Option
    from mdpublish_core.writers.outputs import DESTINATIONS, FILES, OUTPUTS, SAVED, destination_names
    from mdpublish_core.writers.page.copy_code import page_script_hash, page_style_hash
    from mdpublish_core.writers.page.toc import reading_minutes

__all__ = [
    "CATEGORIES",
    "DEFAULT_LANGUAGE",
    "DEFAULT_TEMPLATE",
    "DESTINATIONS",
    "FILES",
    "FORMAT_NAMES",
    "IMAGE_TYPES",
    "MAX_FILE_BYTES",
    "MEMORY_BYTES",
    "OUTPUTS",
    "PAGE_WIDTHS",
    "RAW_TEXT_TAGS",
    "SAVED",
    "SOCIAL_IMAGE_VERSION",
    "THEME_MODES",
    "Category",
    "Extension",
    "ForkServer",
    "FrontMatterBlock",
    "JobFailed",
    "JobStalled",
    "JobTimedOut",
    "JobTooLarge",
    "LruCache",
    "MailServer",
    "Option",
    "PageWidth",
    "Protection",
    "SourcePosition",
    "Tag",
    "ThemeMode",
    "Worker",
    "WorkerFailure",
    "added_extensions",
    "defaults_of",
    "delivery_summary",
    "destination_names",
    "double_quoted",
    "find_engines",
    "find_front_matter",
    "font_family_css",
    "hide_memory",
    "hosted_files",
    "id_header",
    "ignored_notice",
    "is_email_address",
    "is_public_ip",
    "language_tag",
    "limit_notices",
    "load_plugin",
    "mailbox_header",
    "mark_changes",
    "merge_versions",
    "normalize",
    "normalize_package",
    "open_smtp",
    "page_script_hash",
    "page_style_hash",
    "parse_mailbox",
    "parse_markdown",
    "parse_smtp_url",
    "program_title",
    "read_front_matter",
    "reading_minutes",
    "render_for_clipboard",
    "requested_options",
    "rewrite_image",
    "site_palette",
    "sorted_by_position",
    "specimen_page",
    "suffix_of",
    "text_header",
    "title_of",
    "tokenize",
]

if not TYPE_CHECKING:  # which knows the names above
    __getattr__, __dir__ = lazy_names(
        globals(),
        {
            "confinement": "hide_memory",
            "confinement.protections": "Protection",
            "figures.engines": "find_engines",
            "gallery": "specimen_page",
            "images": "IMAGE_TYPES rewrite_image",
            "lru_cache": "LruCache",
            "mail_headers": "id_header is_email_address mailbox_header parse_mailbox text_header",
            "mail_server": "MailServer open_smtp parse_smtp_url",
            "merging.marking": "mark_changes",
            "merging.versions": "merge_versions",
            "notices": "limit_notices sorted_by_position",
            "options.extensions": "Extension",
            "options.styles": "PAGE_WIDTHS THEME_MODES PageWidth ThemeMode",
            "plugins": "load_plugin normalize_package",
            "positions": "SourcePosition",
            "public_ips": "is_public_ip",
            "readers.formats": "FORMAT_NAMES MAX_FILE_BYTES suffix_of",
            "readers.html.sources": "program_title",
            "readers.markdown": "added_extensions parse_markdown read_front_matter",
            "readers.markdown.document": "normalize",
            "readers.markdown.front_matter": "FrontMatterBlock find_front_matter",
            "readers.markdown.raw_html.tokenizer": "Tag tokenize",
            "readers.markdown.yaml_values": "double_quoted",
            "resources.known_elements": "RAW_TEXT_TAGS",
            "site_palette": "site_palette",
            "social_images": "SOCIAL_IMAGE_VERSION",
            "templates.hosted_fonts": "hosted_files",
            "templates.theme": "CATEGORIES Category",
            "templates.web_fonts": "font_family_css",
            "workers": "ForkServer JobFailed JobStalled JobTimedOut JobTooLarge Worker WorkerFailure",
            "workers.limits": "MEMORY_BYTES",
            "writers.clipboard": "render_for_clipboard",
            "writers.delivery": "delivery_summary",
            "writers.document_defaults": "DEFAULT_TEMPLATE defaults_of ignored_notice title_of",
            "writers.language": "DEFAULT_LANGUAGE language_tag",
            "writers.options": "requested_options",
            "writers.options.declared": "Option",
            "writers.outputs": "DESTINATIONS FILES OUTPUTS SAVED destination_names",
            "writers.page.copy_code": "page_script_hash page_style_hash",
            "writers.page.toc": "reading_minutes",
        },
    )
