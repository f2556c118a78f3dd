import re

_code_matches: list[re.Match[str]]
