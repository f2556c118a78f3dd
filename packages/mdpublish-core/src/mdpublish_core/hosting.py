"""What a program needs that hosts mdpublish for others, as mdpublish-server does; docs/reference/hosting.md describes it.

Workers run jobs that may crash, confined. Front matter is read and written without rendering. The table of outputs says what can be made
of a text, and `render_for_clipboard` what is copied.
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
    from mdpublish_core.notices import limit_notices, sorted_by_position
    from mdpublish_core.options.extensions import Extension
    from mdpublish_core.options.styles import PAGE_WIDTHS, THEME_MODES, PageWidth, ThemeMode
    from mdpublish_core.plugins import load_plugin, normalize_package
    from mdpublish_core.positions import SourcePosition
    from mdpublish_core.public_ips import is_public_ip, is_translated_ip
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
    from mdpublish_core.workers import (
        MEMORY_BYTES,
        JobFailed,
        JobStalled,
        JobTimedOut,
        JobTooLarge,
        Worker,
        WorkerFailure,
    )
    from mdpublish_core.writers.clipboard import render_for_clipboard
    from mdpublish_core.writers.delivery import delivery_summary
    from mdpublish_core.writers.document_defaults import DEFAULT_TEMPLATE, defaults_of, ignored_notice, title_of
    from mdpublish_core.writers.language import DEFAULT_LANGUAGE, language_tag
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
    "FrontMatterBlock",
    "JobFailed",
    "JobStalled",
    "JobTimedOut",
    "JobTooLarge",
    "LruCache",
    "MailServer",
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
    "hide_memory",
    "hosted_files",
    "id_header",
    "ignored_notice",
    "is_email_address",
    "is_public_ip",
    "is_translated_ip",
    "language_tag",
    "limit_notices",
    "load_plugin",
    "mailbox_header",
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
            "CATEGORIES": "templates.theme",
            "Category": "templates.theme",
            "DEFAULT_LANGUAGE": "writers.language",
            "DEFAULT_TEMPLATE": "writers.document_defaults",
            "DESTINATIONS": "writers.outputs",
            "Extension": "options.extensions",
            "FILES": "writers.outputs",
            "FORMAT_NAMES": "readers.formats",
            "FrontMatterBlock": "readers.markdown.front_matter",
            "IMAGE_TYPES": "images",
            "JobFailed": "workers",
            "JobStalled": "workers",
            "JobTimedOut": "workers",
            "JobTooLarge": "workers",
            "LruCache": "lru_cache",
            "MAX_FILE_BYTES": "readers.formats",
            "MEMORY_BYTES": "workers",
            "MailServer": "mail_server",
            "OUTPUTS": "writers.outputs",
            "PAGE_WIDTHS": "options.styles",
            "PageWidth": "options.styles",
            "Protection": "confinement.protections",
            "RAW_TEXT_TAGS": "resources.known_elements",
            "SAVED": "writers.outputs",
            "SourcePosition": "positions",
            "THEME_MODES": "options.styles",
            "Tag": "readers.markdown.raw_html.tokenizer",
            "ThemeMode": "options.styles",
            "SOCIAL_IMAGE_VERSION": "social_images",
            "Worker": "workers",
            "WorkerFailure": "workers",
            "added_extensions": "readers.markdown",
            "defaults_of": "writers.document_defaults",
            "delivery_summary": "writers.delivery",
            "destination_names": "writers.outputs",
            "double_quoted": "readers.markdown.yaml_values",
            "find_engines": "figures.engines",
            "find_front_matter": "readers.markdown.front_matter",
            "hide_memory": "confinement",
            "hosted_files": "templates.hosted_fonts",
            "id_header": "mail_headers",
            "ignored_notice": "writers.document_defaults",
            "is_email_address": "mail_headers",
            "is_public_ip": "public_ips",
            "is_translated_ip": "public_ips",
            "language_tag": "writers.language",
            "limit_notices": "notices",
            "load_plugin": "plugins",
            "mailbox_header": "mail_headers",
            "normalize": "readers.markdown.document",
            "normalize_package": "plugins",
            "open_smtp": "mail_server",
            "page_script_hash": "writers.page.copy_code",
            "page_style_hash": "writers.page.copy_code",
            "parse_mailbox": "mail_headers",
            "parse_markdown": "readers.markdown",
            "parse_smtp_url": "mail_server",
            "program_title": "readers.html.sources",
            "read_front_matter": "readers.markdown",
            "reading_minutes": "writers.page.toc",
            "render_for_clipboard": "writers.clipboard",
            "rewrite_image": "images",
            "site_palette": "site_palette",
            "sorted_by_position": "notices",
            "specimen_page": "gallery",
            "suffix_of": "readers.formats",
            "text_header": "mail_headers",
            "title_of": "writers.document_defaults",
            "tokenize": "readers.markdown.raw_html.tokenizer",
        },
    )
