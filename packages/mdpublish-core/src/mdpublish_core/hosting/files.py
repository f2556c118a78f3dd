"""Files and images that people bring."""

from mdpublish_core.images import IMAGE_TYPES, rewrite_image
from mdpublish_core.readers.formats import COMMENTS, FORMAT_NAMES, MAX_FILE_BYTES, WHOLE_PAGE, suffix_of
from mdpublish_core.readers.html.sources import program_title
