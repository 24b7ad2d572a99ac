"""The tile set as data: the set that comes with the game, another one, and each way in which a file can be wrong."""

from pathlib import Path

import msgspec
import pytest

import arena.games.pirates_ninjas_robots_zombies as package
from arena.errors import BadOption
from arena.games.pirates_ninjas_robots_zombies.game import GAME, PnrzOptions
from arena.games.pirates_ninjas_robots_zombies.tiles import (
    PICTURES,
    decode_tiles,
    default_tiles,
    encode_tiles,
    parse_rows,
    rows_of,
)

HEADER = "tile,top_left,top_right,bottom_right,bottom_left,icon\n"
CYCLE = str.maketrans("PNRZpnrz", "NRZPnrzp")


@pytest.fixture
def write(tmp_path):
    def write(content):
        path = tmp_path / "tiles.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def default_lines():
    return Path(package.__file__).with_name("pnrz_tiles.csv").read_text().splitlines()


def with_line(number, line):
    """Returns the default file with another text on a line, numbered from 1; None leaves the line out."""
    lines = default_lines()
    lines[number - 1 : number] = [] if line is None else [line]
    return "\n".join(lines) + "\n"


# The set that comes with the game


def test_default_set_is_as_the_rules_page_counts_it():
    tiles = default_tiles()
    pictures = [PICTURES[section] for tile in tiles for section in tile.sections]
    for character in "PNRZ":
        assert [pictures.count(name) for name in (character, character.lower(), f"{character}!")] == [44, 6, 4]
    assert [sum(tile.icon == icon for tile in tiles) for icon in range(4)] == [38, 8, 4, 4]
    looks = {tuple(tile.sections[turn:] + tile.sections[:turn]) for tile in tiles for turn in range(4)}
    assert len(looks) == 4 * 54, "all differ, in every facing"


def test_default_set_is_symmetric_under_the_cycle():
    def least(names, icon):
        return min(tuple(names[turn:] + names[:turn]) for turn in range(4)), icon

    tiles = [([PICTURES[section] for section in tile.sections], tile.icon) for tile in default_tiles()]
    changed = {least([name.translate(CYCLE) for name in names], icon) for names, icon in tiles}
    assert changed == {least(names, icon) for names, icon in tiles}


def test_words_hold_the_whole_set():
    words = encode_tiles(default_tiles())
    assert len(words) == 18
    assert all(0 <= word < 2**54 for word in words)
    assert decode_tiles(words) == default_tiles()


# Another set


def test_without_a_file_the_options_are_empty():
    options = GAME.parse_options({})
    assert options == PnrzOptions()
    assert GAME.encode_options(options) == encode_tiles(default_tiles())


def test_the_same_set_in_a_file_is_the_default(write):
    lines = default_lines()
    shuffled = "\r\n".join([lines[0], *reversed(lines[1:]), "", ""])
    assert GAME.parse_options({"tiles": write(b"\xef\xbb\xbf" + shuffled.encode())}) == PnrzOptions()


def test_another_set_is_kept_as_rows_and_not_as_a_path(write, dealt):
    options = GAME.parse_options({"tiles": write(with_line(18, "17, P ,P,N,Z!,swap"))})
    assert options.tiles[16] == "17,P,P,N,Z!,swap"
    assert len(options.tiles) == 54
    assert msgspec.convert(msgspec.to_builtins(options), PnrzOptions) == options
    assert GAME.encode_options(options) == encode_tiles(parse_rows(options.tiles))


def test_setup_has_the_rows_of_another_set_only(dealt, rows):
    other = rows({17: "P P N Z! swap"})
    assert "tiles" not in GAME.setup(dealt(2, 1).words)
    assert GAME.setup(dealt(2, 1, other).words) == {**GAME.setup(dealt(2, 1).words), "tiles": list(other)}


def test_the_icon_that_counts_is_that_of_the_set(table):
    plain = table({"0,0": "t1"}, ("t49", "t50")).play("t49", "1,0/0")
    changed = table({"0,0": "t1"}, ("t49", "t50"), tiles={49: "P! Z Z N"}).play("t49", "1,0/0")
    assert (plain.seat, changed.seat) == (0, 1)


# Files that are wrong


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "line 1: the header is missing"),
        ("1,P,P,P,N,\n", "line 1: the header is missing"),
        (HEADER, "0 of 54 tiles; add the missing: 1, 2, 3"),
        (with_line(6, None), "53 of 54 tiles; add the missing: 5"),
        (with_line(6, "4,P,P,P,N,"), "line 6: tile 4 is already on line 5; give each tile once"),
        (with_line(6, "5,P,P,P,X,"), "line 6: bottom_left 'X' is no picture; give one of P N R Z p n r z P! N! R! Z!"),
        (with_line(6, "5,P,PP,P,N,"), "line 6: top_right 'PP' is no picture"),
        (with_line(6, "5,,P,P,N,"), "line 6: top_left '' is no picture"),
        (with_line(6, "5,P,P,P,N,flip"), "line 6: 'flip' is no icon; give rotate, swap, replace or nothing"),
        (with_line(6, "55,P,P,P,N,"), "line 6: '55' is no tile number; give a whole number from 1 to 54"),
        (with_line(6, "0,P,P,P,N,"), "line 6: '0' is no tile number"),
        (with_line(6, "x,P,P,P,N,"), "line 6: 'x' is no tile number"),
        (with_line(6, "²,P,P,P,N,"), "line 6: '²' is no tile number"),
        (with_line(6, "5,P,P,P,N"), "line 6: 5 fields; give 6"),
        (with_line(6, "5,P,P,P,N,,"), "line 6: 7 fields; give 6"),
        (with_line(6, '5,P,"P'), "line 6: no CSV"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
        (b"\0" * (1 << 16) + b"\0", "more than 65,536 letters"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(write, content, complaint):
    path = write(content)
    with pytest.raises(BadOption) as error:
        GAME.parse_options({"tiles": path})
    assert f"tiles={path}" in str(error.value)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(BadOption, match="give a CSV file of 54 tiles"):
            GAME.parse_options({"tiles": str(path)})


def test_an_unknown_option_is_refused(write):
    with pytest.raises(BadOption, match="no option 'tile'"):
        GAME.parse_options({"tile": write("")})


def test_stored_rows_that_are_no_set_are_refused(rows):
    with pytest.raises(BadOption, match="53 of 54 tiles"):
        GAME.encode_options(PnrzOptions(tiles=rows_of(default_tiles())[:-1]))
    with pytest.raises(BadOption, match="line 3: top_left 'Q'"):
        GAME.encode_options(PnrzOptions(tiles=rows({3: "Q P P P"})))
