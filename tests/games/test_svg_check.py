"""The check of pictures finds what a picture must not be."""

import pytest

from arena.errors import CheckFailed
from arena.games.conformance import Subject, check_svg, require_svg
from arena.games.connect_four.game import ConnectFour

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"><title>a board</title>%s</svg>'


@pytest.mark.parametrize("part", ["", '<use href="#a"/>', '<rect fill="url(#b)"/>', "<text>R8</text>"])
def test_whole_pictures_pass(part):
    require_svg(PICTURE % part, "here")


@pytest.mark.parametrize(
    "picture",
    [
        "",
        "plain text",
        PICTURE % "<g>",
        PICTURE % "" + PICTURE % "",
        PICTURE % "&nbsp;",
        "<p>no picture</p>",
        '<svg><title>no namespace</title><rect width="1" height="1"/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><title> </title></svg>',
        PICTURE % '<use href="https://example.org/a.svg#a"/>',
        PICTURE % '<image href="a.png"/>',
        PICTURE % '<style>@import "a.css";</style>',
        PICTURE % "<style>text{fill:url(a.svg#b)}</style>",
        PICTURE % "<script>1</script>",
        PICTURE % '<g onload="f()"/>',
        PICTURE % "<foreignObject/>",
    ],
)
def test_other_pictures_are_refused(picture):
    with pytest.raises(CheckFailed, match="picture at ply 3"):
        require_svg(picture, "at ply 3")


class Careless(ConnectFour):
    """Puts names into the picture as they are."""

    package = "arena.games.connect_four"

    def svg(self, words, *, names=(), observer=None):
        return PICTURE % "".join(f"<text>{name}</text>" for name in names)


def test_names_as_they_are_given_are_found_out():
    with pytest.raises(CheckFailed, match="not well-formed"):
        check_svg(Subject(Careless(), 2, 1))
