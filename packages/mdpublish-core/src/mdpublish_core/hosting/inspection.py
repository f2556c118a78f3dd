"""What a check of strangers' texts reads: HTML by its tags, and IP addresses."""

from mdpublish_core.readers.markdown.raw_html.tokenizer import Tag, tokenize
from mdpublish_core.resources.known_elements import RAW_TEXT_TAGS
from mdpublish_core.resources.public_ips import is_public_ip
