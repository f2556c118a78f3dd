"""The font families that are built: for pages, for images, and for formulas; packages, styles, fallbacks.

Only families under the OFL without a Reserved Font Name, which a subset could not carry. That excludes Playfair
Display, Josefin Sans, Quicksand, Source Serif 4, Source Code Pro, IBM Plex, Lora, Raleway and Merriweather.
"""

from dataclasses import dataclass, field
from typing import Any

BOLD = 600
"""The minimum weight for which browsers choose a bold font."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """An npm package of one family; `sha256` is of its archive.

    By default it is Fontsource's, which has a file of a style for each script. Others have whole fonts, `paths` by
    style.
    """

    name: str = field(kw_only=False)
    sha256: str = field(kw_only=False)
    version: str = "5.3.0"
    package: str = ""
    paths: tuple[str, ...] = ()
    licence: str = "LICENSE"

    @property
    def slug(self) -> str:
        return self.name.lower().replace(" ", "-")

    def __post_init__(self) -> None:
        if not self.package:
            object.__setattr__(self, "package", f"@fontsource/{self.slug}")


@dataclass(frozen=True, slots=True)
class Style:
    """One style of a family."""

    weight: int
    is_italic: bool = False

    @property
    def is_bold(self) -> bool:
        return self.weight >= BOLD


TEXT_STYLES = (Style(400), Style(400, is_italic=True), Style(700))
"""Regular, italic and bold, in the order of `Package.paths`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family(Package):
    """A hosted family.

    `fallback` is a key of `STANDARDS`. `has_extended` adds a file per style for Central European letters; families that
    would exceed the font budget have none, nor have those for code. `titles` are the styles in which social images are
    drawn. `scale` makes a font larger or smaller than its designer did, so that lines hold as many letters as in the
    fallback.
    """

    fallback: str = field(kw_only=False)
    styles: tuple[Style, ...] = TEXT_STYLES
    titles: tuple[Style, ...] = ()
    has_extended: bool = True
    scale: float = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureFace(Package):
    """A family in which figures are drawn: regular, italic and bold, in `paths`."""

    kind: str
    styles: tuple[Style, ...] = TEXT_STYLES


STANDARDS = {
    "Arial": Package("Arimo", "df44945077a74905969f15bba3b442f9fb6773818b2b59c970911deace01132f"),
    "Times New Roman": Package("Tinos", "218a9f3dfc1f43e595835ba84ffb1f69723f27cab54a50b5acd64c0fe067dbe2"),
    "Courier New": Package("Cousine", "a450d4756b5b9e666464df668728dbf1c6d62548b61324d4ac5778a5da27a3b8"),
    "Menlo": Package("Cousine", "a450d4756b5b9e666464df668728dbf1c6d62548b61324d4ac5778a5da27a3b8"),
}
"""Common system fonts, and free ones with the same metrics; Menlo's letters are wider by 0.3 percent."""

_REGULAR, _ITALIC, _BOLD = TEXT_STYLES
_LIGHT, _SEMIBOLD, _EXTRABOLD = Style(300), Style(600), Style(800)


def _expo_package(name: str) -> dict[str, Any]:
    """Return what describes one of Expo's packages, which have a whole font of each style."""
    fonts = ("400Regular", "400Regular_Italic", "700Bold")
    return {
        "name": name,
        "package": f"@expo-google-fonts/{name.lower().replace(' ', '-')}",
        "licence": "LICENSE_FONT",
        "paths": tuple(f"{font}/{name.replace(' ', '')}_{font}.ttf" for font in fonts),
    }


def _computer_modern(name: str) -> dict[str, Any]:
    """Return what describes a family of the package of Computer Modern, which has several."""
    slug = name.lower().replace(" ", "-")
    return {
        "name": name,
        "package": "computer-modern",
        "version": "0.1.3",
        "sha256": "49dc38b2f90611e565b17b7777bc9fe6a517419d4aaa5296e066f8aef8cc48c4",
        "licence": "OFL.txt",
        "paths": tuple(f"fonts/{slug}-{style}.ttf" for style in ("500-roman", "500-italic", "700-roman")),
    }


FACES = (
    FigureFace(
        **_expo_package("Roboto"),
        kind="sans-serif",
        version="0.4.3",
        sha256="d5fabe7f5e706dc3c6b4e39687c5a45f1b25975dd689d8d850a97f41a00fa85f",
    ),
    FigureFace(
        **_expo_package("STIX Two Text"),
        kind="serif",
        version="0.4.2",
        sha256="fd82c48a2fc870b25a5c6eb4be13f3c295e61159b18416cee2aefbec3d3b42fa",
    ),
    FigureFace(
        **_expo_package("JetBrains Mono"),
        kind="monospace",
        version="0.4.1",
        sha256="aead50085a2d56fffdac882c5945f9fc4e4785ccb5c8d6f1988f21faa1737c9a",
    ),
)
"""None is wider than DejaVu Sans, in which figures are measured, in more than a few capital letters."""

SYMBOLS = Package(
    name="DejaVu Sans",
    package="dejavu-fonts-ttf",
    version="2.37.3",
    sha256="b7013ac58f9225250619db82cfb72e99c37ca8195f2b5a06a9e6a95bc5e1c84a",
    paths=("ttf/DejaVuSans.ttf",),
)
"""Not under the OFL: its own license asks for another name than Bitstream's, Vera's and Arev's."""

FAMILIES = (
    Family(
        "Alegreya",
        "8b339fcef25323b402466275bdcc821ad2b4ffada37a9c87ccf196dc38cff667",
        "Times New Roman",
        has_extended=False,
    ),
    Family(
        "Alegreya Sans",
        "f52077bb977c913b05ec2cc016b30858533005d376cff4280c7fa95dbace448b",
        "Arial",
        titles=(_BOLD,),
        scale=1.08,
    ),
    Family(
        "Anton",
        "796d0b1b7a503636458c0869ef9993659411c86443a4e4e7555ead4b29293db4",
        "Arial",
        styles=(_REGULAR,),
        titles=(_REGULAR,),
    ),
    Family("Archivo", "d3b7622d8446bf81dc31ac49f2e305a6d6439a92971f8116abde2e9792f5c440", "Arial"),
    Family(
        "Archivo Black",
        "f035e17cec2b7c7145faed8d002eb7800b8b5b407605a45ad56fe1ca09c25372",
        "Arial",
        styles=(_REGULAR,),
        titles=(_REGULAR,),
    ),
    Family(
        "Atkinson Hyperlegible Mono",
        "96a31c81ed8e8b264c7f2127be1fd0a1e38555ace2ac85d9c69147f7f45bfda9",
        "Menlo",
        scale=0.95,
        has_extended=False,
    ),
    Family(
        "Atkinson Hyperlegible Next",
        "33dcb7d0d4e2ea98a96985ca7448f738c3b5b370cfc5230b1e40e4f728920cc2",
        "Arial",
        titles=(_BOLD,),
    ),
    Family("Barlow", "8ad808291f807367d10eadf915791608bd04cc393882e7e86e290daeeadd843c", "Arial"),
    Family(
        "Barlow Condensed",
        "759fcdd25df64b4ef41653808d849cdb9ba0a520999032ceb137ce035a17e2ea",
        "Arial",
        styles=(_REGULAR, _SEMIBOLD),
        titles=(_SEMIBOLD,),
    ),
    Family(
        "Besley",
        "fd790a90de89b6612ff4a33a07489eff1ce368e2706357f0f0eb964bf4331505",
        "Times New Roman",
        styles=(_REGULAR, _BOLD),
        titles=(_BOLD,),
    ),
    Family(
        "Bitter",
        "f907568dce71e70601cc2ef3ecd4f72d7721a12dad358d8fb4b58ffb55a72efb",
        "Times New Roman",
        titles=(_BOLD,),
        has_extended=False,
    ),
    Family(
        "Bodoni Moda",
        "e79339978034bf8891a0f0eb4ef54551b6fd52df3c03bd29de00c1d9a9663406",
        "Times New Roman",
        titles=(_REGULAR, _BOLD),
    ),
    Family(
        **_computer_modern("CMU Serif"),
        fallback="Times New Roman",
        titles=(_REGULAR,),
        has_extended=False,
    ),
    Family(
        **_computer_modern("CMU Typewriter Text"),
        fallback="Menlo",
        scale=1.05,
        has_extended=False,
    ),
    Family("Cabin", "4734d4962801bf995ee96f4c3d47bba1d8c3302b1d7b47c9ecec69cdd75a21ac", "Arial", titles=(_BOLD,)),
    Family(
        "Cinzel",
        "b80629f715b4603fd099c0ceaa94cc7a15308a75a9cf52f0613a312ee6d53c28",
        "Times New Roman",
        styles=(_REGULAR,),
        titles=(_REGULAR,),
    ),
    Family(
        "Cormorant Garamond",
        "7b6b3f770ae98dcef57acf5a24af08904cadd14f34beef58cf0248c06ae93cc7",
        "Times New Roman",
        styles=(_REGULAR, _ITALIC, _SEMIBOLD),
        titles=(_REGULAR,),
        has_extended=False,
    ),
    Family(
        "Courier Prime",
        "fd204a077d81426e1425baed6d471ad78a8eccca931091e661637bb10b5f2724",
        "Courier New",
        titles=(_BOLD,),
    ),
    Family(
        "Crimson Pro",
        "e038ef1b4e25471f51bb2c43b326264e1c82198fa0b193120028a4d527360185",
        "Times New Roman",
        styles=(_REGULAR, _ITALIC, _SEMIBOLD),
        titles=(_REGULAR,),
        has_extended=False,
    ),
    Family(
        "EB Garamond",
        "2e61af0740104953d4fc5cb52a8c6de257ae6d83a4a89e0fd4be2f6132fd40d9",
        "Times New Roman",
        styles=(_REGULAR, _ITALIC, _SEMIBOLD),
        titles=(_REGULAR,),
        has_extended=False,
    ),
    Family("Figtree", "12abd25773d462093d25170088bfec74f1249aa6c9d4daff52013af46c8f9f38", "Arial", titles=(_BOLD,)),
    Family(
        "Fira Code",
        "06b1a0a074e0115e36abc6f25c9698a62ea0b061598049d26896e754d3ca2ec6",
        "Menlo",
        styles=(_REGULAR, _BOLD),
        has_extended=False,
    ),
    Family(
        "Fraunces",
        "c4d77f0157ec3128e53ee83aafa0f1ef0ab0ae5a23708f611e49584821c1f6ce",
        "Times New Roman",
        styles=(_REGULAR, _SEMIBOLD),
        titles=(_SEMIBOLD,),
    ),
    Family(
        "Geist Mono", "1388ea1cc6f02ba10be011352d0c7cabbc29b59e587eaa9938dc63187b4a9169", "Menlo", has_extended=False
    ),
    Family(
        "Gelasio",
        "8a8579e2d5be4074764ba3d4336afc3ad4cc1f2e04a0208e5386febf782dfcd7",
        "Times New Roman",
        has_extended=False,
    ),
    Family(
        "Inconsolata",
        "d34e446cb20ca819c3bc2795ff7dd1f071a4a7a6f8a38518af3b47144b5e06d9",
        "Menlo",
        styles=(_REGULAR, _BOLD),
        scale=1.1,
        has_extended=False,
    ),
    Family("Inter", "02034af8d41dcc67ac8eab88f642e129bb8a2e8922abf30229c32725f54d8fd6", "Arial", titles=(_BOLD,)),
    Family("JetBrains Mono", "1bbea47d1387406da5b6ccc4184cc61eae6851cc0db5c1d9bbd088ea9daa0b4a", "Menlo"),
    Family("Jost", "c09334afaca948bbb5a674998a9fbcfbd8a8f5dd07eeceb6389357658d93fadf", "Arial", titles=(_BOLD,)),
    Family(
        "Libertinus Sans",
        "fcfde890f83528473520f8c6910cf43511dc979f34cbf7b30c1a19642a0373dd",
        "Arial",
        titles=(_BOLD,),
        scale=1.05,
        has_extended=False,
    ),
    Family(
        **_expo_package("Libertinus Serif"),
        version="0.4.0",
        sha256="3b58d435563e1e7369909ce1f0440d0adeca479c081797659b92dc631fe5ae6b",
        fallback="Times New Roman",
        titles=(_REGULAR,),
        has_extended=False,
    ),
    Family(
        "Libre Baskerville",
        "5e1a5fe2e28c4269112aa33ff46f80034551d2a9820b2d002afe3305fa8e1ea4",
        "Times New Roman",
        titles=(_BOLD,),
        has_extended=False,
    ),
    Family(
        "Libre Caslon Text",
        "0dbd17c7fb3403fb5325bb4ea4bfb2dd74e2180439a67db67ad599e536982a7c",
        "Times New Roman",
        titles=(_REGULAR,),
        has_extended=False,
    ),
    Family(
        "Libre Franklin",
        "8c2f1a01cf1d38fc38da4818248e699d22a069ad947f319c5cbacec4a5bb01c7",
        "Arial",
        titles=(_REGULAR, _BOLD),
        has_extended=False,
    ),
    Family(
        "Literata",
        "b9335958dc362b0e7e4268098550bc0cb93ab4c68a2db9bc48c67154abbd75c9",
        "Times New Roman",
        scale=0.95,
        has_extended=False,
    ),
    Family(
        "Montserrat",
        "919dce59bbe45ace8a517c1e9de5076282bfeb97e8aa8f5f2dc989451c14c7cb",
        "Arial",
        styles=(_REGULAR, _EXTRABOLD),
        titles=(_EXTRABOLD,),
    ),
    Family("Nunito", "4d8e1fb4f4a40c125c7a302b21e5c6810b86569b60bac0fa0405c04380f4c77b", "Arial", titles=(_BOLD,)),
    Family(
        "Oswald",
        "27bf46420288bb65bd186638cde54686aa8f9d5dc975b1d597dfe81a7dd472cb",
        "Arial",
        styles=(_REGULAR, _SEMIBOLD),
        titles=(_REGULAR,),
    ),
    Family(
        "Outfit",
        "1060497f324868b0a2173b6834248d48859faac5664184ec4c15aee0586fad8d",
        "Arial",
        styles=(_LIGHT, _BOLD),
        titles=(_LIGHT, _BOLD),
    ),
    Family("Public Sans", "006a55fc01a1f03fd56ade9d2d0f80f0eef7e20a085cd9c8ba2463a361cbefcb", "Arial"),
    Family(
        "Red Hat Mono", "bc7b535c64a064d6527a210c3cf684b1483d154040a7e1250144aab4e09297da", "Menlo", has_extended=False
    ),
    Family(
        "Rubik",
        "3f34e5588fcd07e01f1a5d667e5df1a6b287aeefba5b6e46f892131009a0db6a",
        "Arial",
        titles=(_BOLD,),
        has_extended=False,
    ),
    Family(
        "STIX Two Text",
        "910943975c04992905616f6ff56edf73c405fc4fba571192f0a6a83a5e8ddf49",
        "Times New Roman",
        has_extended=False,
    ),
    Family(
        "Space Grotesk",
        "2adb650694b6387b1862fee8b086a3a47ce9f32c10f20b8ec109aa1fcdfd07b7",
        "Arial",
        styles=(_REGULAR, _BOLD),
        titles=(_BOLD,),
    ),
    Family(
        "Space Mono",
        "e0cd78cb7aa93e772905297d8d5ad2a3d9eea7a6a12f281a3940a28ec01c19eb",
        "Menlo",
        scale=0.98,
        has_extended=False,
    ),
    Family(
        "Spectral",
        "2f7b38f1b453008e41511f5a1acd2dbd7653f94f48ea60a81ca917566b19949d",
        "Times New Roman",
        titles=(_REGULAR,),
    ),
    Family(
        "Vollkorn",
        "846426144650599d7d19f5be1808c7dfebd0b6a5beb3ebcda975fd07bbaba85e",
        "Times New Roman",
        has_extended=False,
    ),
    Family(
        "Work Sans",
        "b1b1c5a7d7ae2a721e0a9235bfa294281d161a20934e9ede01e0aec2bdb2373a",
        "Arial",
        scale=0.95,
        titles=(_BOLD,),
        has_extended=False,
    ),
    Family(
        "Zilla Slab",
        "b7db2f40f3aaeb44c0e1dfe3da1e5de96d177a674ffe5e5e012c59b6a01e8aab",
        "Times New Roman",
        titles=(_BOLD,),
        has_extended=False,
    ),
)
"""Sorted by name; `make` rejects other licenses and reserved names."""
