"""Published pages: their policies' hashes, reading time, social image and missing glyphs, and a cache."""

from mdpublish_core.lru_cache import LruCache
from mdpublish_core.social_images import SOCIAL_IMAGE_VERSION
from mdpublish_core.writers.page.copy_code import page_script_hash, page_style_hash
from mdpublish_core.writers.page.feed_content import feed_content
from mdpublish_core.writers.page.toc import reading_minutes
from mdpublish_core.writers.pdf import glyph_notices
