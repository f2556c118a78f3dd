"""The boxes of tasks, as on Docs' clipboard: 36 px images at half size, visible on white and dark backgrounds."""

from mdpublish_core.data_files import read_pairs
from mdpublish_core.resources.urls import TrustedUrl

BOX_SIZE = 18
"""In px."""

UNCHECKED, CHECKED = map(TrustedUrl, read_pairs(__file__, "checkbox_images.tsv").values())
