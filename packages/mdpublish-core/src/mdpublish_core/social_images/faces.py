"""The face of a title: the template's hosted one, else one of the same class."""

from collections.abc import Iterator

from mdpublish_core.figures.fonts import MONOSPACE, SANS_SERIF, SERIF, FaceStyle, face_of_kind, face_styles
from mdpublish_core.templates import Template
from mdpublish_core.templates.font_families import TITLE_FACES, font_class

# Between bold and regular; a face that has only one of these is not used for the other.
_BOLD = 550

_ONE_WEIGHT = frozenset({"Anton", "Archivo Black", "Cinzel"})


def title_faces(template: Template, weight: int, *, is_text: bool) -> tuple[FaceStyle, ...]:
    """Return faces of a title, which may be in that of the text, in the order of preference.

    The last has Greek and Cyrillic letters.
    """
    fonts = template.fonts
    families, hosted = (fonts.web.body, fonts.hosted.body) if is_text else (fonts.web.heading, fonts.hosted.heading)
    faces = dict.fromkeys((*_names(families, hosted, weight), face_of_kind(_kind(families))))
    return tuple(_nearest(face, weight) for face in faces)


def name_face(template: Template) -> FaceStyle:
    """Return the face of a site's name."""
    return _nearest(face_of_kind(_kind(template.fonts.web.body)), 400)


def _names(families: tuple[str, ...], hosted: str | None, weight: int) -> Iterator[str]:
    if hosted is not None and hosted in face_styles():
        yield hosted
        return
    face = next((TITLE_FACES[each] for each in map(font_class, families) if each), None)
    if face and (face in _ONE_WEIGHT or (_nearest(face, weight).weight > _BOLD) == (weight > _BOLD)):
        yield face


def _nearest(face: str, weight: int) -> FaceStyle:
    upright = (style for style in face_styles()[face] if not style.is_italic)
    return min(upright, key=lambda style: abs(style.weight - weight))


def _kind(families: tuple[str, ...]) -> str:
    return families[-1] if families[-1] in {SERIF, MONOSPACE} else SANS_SERIF
