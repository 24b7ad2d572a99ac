"""Game records of every registered game: they come back as they were written, and no damage goes unnoticed."""

import random
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.bot import Bot
from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec
from arena.errors import BadRecord
from arena.hosts.inprocess import InProcessHost
from arena.kernels.simulation import Simulation
from arena.match.records import encode_record, make_record, read_record, replay
from arena.match.referee import play_match

SEEDS = st.integers(0, 2**64 - 1)


class Player(Bot):
    """Plays at random, and fails at its `fails`th decision where it has one."""

    fails: int | None = None

    def act(self, view):
        if self.fails is not None:
            self.fails -= 1
            if self.fails < 0:
                raise RuntimeError("as agreed")
        return view.rng.choice(view.legal)


def host_of(entrant: Entrant) -> InProcessHost:
    bot = Player()
    bot.fails = entrant.options.get("fails")
    return InProcessHost(bot)


def record_of(game, num_seats, seed, fails=None, with_legal=False):
    """Plays a match and returns its record; `fails` says by seat at which decision a bot fails."""
    reference = GameRef(game.name, game.version, msgspec.to_builtins(game.parse_options({})))
    fails = fails or [None] * num_seats
    lineup = tuple(Entrant(f"bot{seat}", "1", {"fails": at}) for seat, at in enumerate(fails))
    spec = MatchSpec(Conditions(reference, num_seats, Limits(), 5), seed, 0, lineup)
    outcome = play_match(spec, host_of)
    labels = [f"bot{seat}" for seat in range(num_seats)]
    return make_record(reference, seed, labels, outcome, with_legal=with_legal), outcome


def last_position(record, path=Path("record")):
    *_, last = replay(record, path)
    return last.simulation


class TestRoundTrip:
    def test_record_comes_back(self, game, num_seats, tmp_path):
        path = tmp_path / "match.jsonl"
        fails = st.lists(st.none() | st.integers(0, 6), min_size=num_seats, max_size=num_seats)

        @settings(max_examples=15, database=None)
        @given(SEEDS, fails, st.booleans())
        def comes_back(seed, fails, with_legal):
            record, outcome = record_of(game, num_seats, seed, fails, with_legal)
            data = encode_record(record)
            path.write_bytes(data)
            again = read_record(path)
            assert again == record
            assert encode_record(again) == data
            end = last_position(again)
            assert end.scores() == outcome.scores
            assert [ply.action for ply in again.plies] == [game.action_name(a) for a in outcome.action_list]
            assert end.is_over or any(outcome.faults)

        comes_back()

    def test_lines_are_what_the_format_says(self, game, num_seats):
        record, outcome = record_of(game, num_seats, 11, with_legal=True)
        lines = [msgspec.json.decode(line) for line in encode_record(record).splitlines()]
        header, *plies, result = lines
        assert header["record"] == 1
        assert (header["game"], header["players"], header["seed"]) == (game.name, num_seats, f"{11:016x}")
        assert header["bots"] == [f"bot{seat}" for seat in range(num_seats)]
        position = Simulation.from_deal(game, game.encode_options(game.parse_options({})), num_seats, 11)
        assert header["setup"] == msgspec.to_builtins(game.setup(position.words()))
        for number, ply in enumerate(plies):
            assert (ply["ply"], ply["seat"]) == (number, position.to_move)
            assert ply["legal"] == sorted(map(game.action_name, position.legal))
            assert "substitute" not in ply
            assert isinstance(ply["ms"], float)
            position.play(game.parse_action(ply["action"]))
        expected = {"scores": list(outcome.scores), "ranks": list(outcome.ranks), "faults": [None] * num_seats}
        assert result == {"result": expected}

    def test_only_ms_differs_when_it_is_played_again(self, game, num_seats):
        def without_ms():
            record, _ = record_of(game, num_seats, 3, with_legal=True)
            return record._replace(plies=[msgspec.structs.replace(ply, ms=None) for ply in record.plies])

        assert encode_record(without_ms()) == encode_record(without_ms())

    def test_substitutes_are_marked(self, game, num_seats):
        """Seat 0 fails at its second decision; from then on the arena plays for it, with two seats nobody does."""
        fails = [1] + [None] * (num_seats - 1)
        record, outcome = record_of(game, num_seats, 1, fails)
        at = outcome.faults[0].ply
        assert record.result.faults == ["crash"] + [None] * (num_seats - 1)
        for ply in record.plies:
            assert ply.substitute == (ply.seat == 0 and ply.ply >= at)
        assert any(ply.substitute for ply in record.plies) == (num_seats > 2)

    def test_unknown_keys_are_ignored(self, game, num_seats, tmp_path):
        record, _ = record_of(game, num_seats, 4)
        lines = [msgspec.json.decode(line) for line in encode_record(record).splitlines()]
        path = tmp_path / "more.jsonl"
        path.write_bytes(b"".join(msgspec.json.encode({**line, "future": [1]}) + b"\n" for line in lines))
        again = read_record(path)
        assert again == record
        last_position(again)


@dataclass
class Damage:
    """A record's lines as plain values, to be damaged; where it must be noticed."""

    game: object
    lines: list

    @property
    def header(self):
        return self.lines[0]

    @property
    def result(self):
        return self.lines[-1]["result"]

    @property
    def end(self) -> int:
        return len(self.lines)

    def ply(self, number):
        return self.lines[1 + number]

    def positions(self):
        """Yields each ply's number and the legal actions before it, in notation."""
        header = self.header
        position = Simulation.from_deal(
            self.game,
            self.game.encode_options(self.game.parse_options({})),
            header["players"],
            int(header["seed"], 16),
        )
        for number, line in enumerate(self.lines[1:-1]):
            yield number, [self.game.action_name(action) for action in position.legal]
            position.play(self.game.parse_action(line["action"]))

    def illegal(self) -> tuple[int, str] | None:
        """Returns a ply and an action that some other ply of the match could take and this one cannot."""
        every = [(number, set(legal)) for number, legal in self.positions()]
        known = set().union(*(legal for _, legal in every))
        return next(((number, min(known - legal)) for number, legal in every if known - legal), None)


def illegal_action(damage):
    number, action = damage.illegal()
    damage.ply(number)["action"] = action
    return number + 2


def nonsense_action(damage):
    damage.ply(1)["action"] = "castle"
    return 3


def empty_action(damage):
    damage.ply(0)["action"] = ""
    return 2


def number_for_action(damage):
    damage.ply(0)["action"] = 7
    return 2


def other_seat(damage):
    damage.ply(2)["seat"] = (damage.ply(2)["seat"] + 1) % damage.header["players"]
    return 4


def no_such_seat(damage):
    damage.ply(2)["seat"] = -1
    return 4


def ply_number(damage):
    damage.ply(1)["ply"] = 2
    return 3


def lost_ply(damage):
    del damage.lines[3]
    return 4


def doubled_ply(damage):
    damage.lines.insert(3, damage.lines[3])
    return 5


def ply_after_the_end(damage):
    extra = {**damage.lines[-2], "ply": damage.end - 2}
    damage.lines.insert(-1, extra)
    return damage.end - 1


def swapped_plies(damage):
    damage.lines[1], damage.lines[2] = damage.lines[2], damage.lines[1]
    return 2


def chance(damage):
    with_chance = [n for n, line in enumerate(damage.lines) if line.get("chance") is not None]
    number = with_chance[-1] if with_chance else 2
    damage.lines[number]["chance"] = {"rolled": [[0, [7]]], "drawn": 99}
    return number + 1


def lost_chance(damage):
    with_chance = [n for n, line in enumerate(damage.lines) if line.get("chance") is not None]
    if not with_chance:
        pytest.skip("chance has no part in the plies of this game")
    del damage.lines[with_chance[0]]["chance"]
    return with_chance[0] + 1


def legal_list(damage):
    damage.ply(2)["legal"] = damage.ply(2)["legal"][1:]
    return 4


def unsorted_legal_list(damage):
    number = next(number for number, legal in damage.positions() if len(legal) > 1)
    damage.ply(number)["legal"].reverse()
    return number + 2


def false_substitute(damage):
    damage.ply(1)["substitute"] = True
    return 3


def setup(damage):
    key = min(damage.header["setup"])
    damage.header["setup"][key] = []
    return 1


def no_setup(damage):
    del damage.header["setup"]
    return 1


def seed(damage):
    damage.header["seed"] = f"{12345:016x}"
    return 1


def seed_of_words(damage):
    damage.header["seed"] = "not hexadecimal"
    return 1


def long_seed(damage):
    damage.header["seed"] = "1" + damage.header["seed"]
    return 1


def negative_seed(damage):
    damage.header["seed"] = "-1"
    return 1


def other_game(damage):
    damage.header["game"] = "nine_mens_morris"
    return 1


def players(damage):
    damage.header["players"] = 17
    return 1


def no_players(damage):
    damage.header["players"] = 0
    return 1


def lost_bot(damage):
    damage.header["bots"].pop()
    return 1


def record_version(damage):
    damage.header["record"] = 2
    return 1


def unknown_option(damage):
    damage.header["options"] = {"handicap": 3}
    return 1


def score(damage):
    damage.result["scores"][0] += 1
    return damage.end


def lost_score(damage):
    damage.result["scores"].pop()
    return damage.end


def rank(damage):
    damage.result["ranks"] = [rank % damage.header["players"] + 1 for rank in damage.result["ranks"]]
    return damage.end


def rank_past_the_last(damage):
    damage.result["ranks"][-1] = damage.header["players"] + 1
    return damage.end


def invented_fault(damage):
    damage.result["faults"][0] = "timeout"
    return damage.end


def unknown_fault(damage):
    damage.result["faults"][0] = "bored"
    return damage.end


def lost_result(damage):
    damage.lines.pop()
    return damage.end


def lost_end(damage):
    del damage.lines[-3:-1]
    return damage.end


DAMAGES = [
    illegal_action, nonsense_action, empty_action, number_for_action, other_seat, no_such_seat, ply_number, lost_ply,
    doubled_ply, ply_after_the_end, swapped_plies, chance, lost_chance, legal_list, unsorted_legal_list,
    false_substitute, setup, no_setup, seed, seed_of_words, long_seed, negative_seed, other_game, players, no_players,
    lost_bot, record_version, unknown_option, score, lost_score, rank, rank_past_the_last, invented_fault,
    unknown_fault, lost_result, lost_end,
]  # fmt: skip


class TestDamage:
    @pytest.fixture
    def subject(self, game):
        """A sound record with legal actions, of a match in which not everything was always legal."""
        for deal in range(100):
            record, _ = record_of(game, game.seats[0], deal, with_legal=True)
            subject = Damage(game, [msgspec.json.decode(line) for line in encode_record(record).splitlines()])
            if subject.illegal() is not None:
                break
        return subject

    @pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
    def test_damage_is_found_in_its_line(self, game, subject, damage, tmp_path):
        where = damage(subject)
        path = tmp_path / "damaged.jsonl"
        path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in subject.lines))
        with pytest.raises(BadRecord) as caught:
            last_position(read_record(path), path)
        assert str(caught.value).startswith(f"{path}, line {where}: ")
        assert "\n" not in str(caught.value)
        assert caught.value.exit_code == 2

    def test_file_cut_anywhere(self, game, tmp_path):
        record, _ = record_of(game, game.seats[0], 5)
        data = encode_record(record)
        rng, path = random.Random(1), tmp_path / "cut.jsonl"
        whole = len(data) - 1  # without its last line feed a record is still whole
        for length in {*range(0, whole, max(1, whole // 40)), *(rng.randrange(whole) for _ in range(20)), whole - 1}:
            path.write_bytes(data[:length])
            with pytest.raises(BadRecord, match=r"line \d+: |a record has a header line"):
                last_position(read_record(path), path)
        path.write_bytes(data[:whole])
        last_position(read_record(path), path)

    def test_flipped_byte_is_found_or_harmless(self, game, tmp_path):
        """Only what the rules do not say may change unnoticed: the bots' names, the times, keys that are ignored."""
        record, outcome = record_of(game, game.seats[0], 1)
        data, path = encode_record(record), tmp_path / "flipped.jsonl"

        @settings(max_examples=40, database=None)
        @given(st.integers(0, len(data) - 1), st.integers(0, 255))
        def is_found_or_harmless(place, byte):
            path.write_bytes(data[:place] + bytes([byte]) + data[place + 1 :])
            try:
                again = read_record(path)
                end = last_position(again, path)
            except BadRecord:
                return
            assert end.scores() == outcome.scores
            assert again.result.scores == list(outcome.scores)
            assert again.result.ranks == list(outcome.ranks)

        is_found_or_harmless()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "this has 0"),
        (b"\n\n  \n", "this has 0"),
        (b"{}\n", "this has 1"),
        (b"not json\nat all\n", "line 1: no header line"),
        (b"\xff\xfe\n{}\n", "line 1: no header line"),
        (b'{"record": 1, "game": "\xff", "players": 2}\n{}\n', "line 1: no header line"),
        (b"[1, 2]\n{}\n", "line 1: no header line"),
        (b'"\xed\xa0\x80"\n{}\n', "line 1: no header line"),
        (b"[" * 100_000 + b"\n{}\n", "line 1: no header line"),
        (b'{"setup": {"x": ' + b"[" * 100_000 + b"\n{}\n", "line 1: no header line"),
        (b"\x00" * 64 + b"\n{}\n", "line 1: no header line"),
        (b'{"record": 1' + b"0" * 5000 + b"}\n{}\n", "line 1: no header line"),
    ],
    ids=lambda value: repr(value[:24]),
)
def test_what_is_no_record_is_one_clear_error(data, message, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(data)
    with pytest.raises(BadRecord) as caught:
        read_record(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["absent.jsonl", "."])
def test_file_that_cannot_be_read(name, tmp_path):
    with pytest.raises(BadRecord, match="the record cannot be read"):
        read_record(tmp_path / name)
