"""Superscripts and subscripts that are characters of their own, for formulas and prose."""

# Its signs look like letters, and are meant.
# ruff: noqa: RUF001

_SUPERSCRIPTS = (
    ("0123456789+−-=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾"),
    ("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"),
    ("ABDEGHIJKLMNOPRTUVW", "ᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ"),
    ("βγδθιφχ", "ᵝᵞᵟᶿᶥᵠᵡ"),
    ("°∘′″‴'", "°°′″‴′"),
    ("•", "•"),  # an unpaired electron
)
_SUBSCRIPTS = (
    ("0123456789+−-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"),
    ("aehijklmnoprstuvx", "ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"),
    ("βγρφχ", "ᵦᵧᵨᵩᵪ"),
)


def _translations(tables: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {plain: small for ones, others in tables for plain, small in zip(ones, others, strict=True)}


SUPERSCRIPTS = _translations(_SUPERSCRIPTS)

SUBSCRIPTS = _translations(_SUBSCRIPTS)
