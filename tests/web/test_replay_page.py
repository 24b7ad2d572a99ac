"""The replay page in a real browser: stepping, keys, playing, what each seat saw, colours, and nothing from outside."""

import random
import re
from pathlib import Path

import pytest

from arena.core.record import Outcome, pack_actions, rank_scores
from arena.core.spec import GameRef
from arena.games import all_games
from arena.kernels.simulation import Simulation
from arena.match.page import Frame, record_frames, record_page, replay_page
from arena.match.records import make_record

NASTY = "</script><script>document.title='owned'</script>"
NAMES = [NASTY, "Ünï&\"'", "mcts:simulations=500", "名前", "x" * 80]
PATH = Path("match.jsonl")
MAX_BYTES = 5_000_000


def make_random_record(game, num_seats, seed=1):
    """Returns the record of a random match."""
    rng = random.Random(seed)
    simulation = Simulation.from_deal(game, game.encode_options(game.Options()), num_seats, seed)
    actions = []
    while not simulation.is_over:
        actions.append(rng.choice(simulation.legal))
        simulation.play(actions[-1])
    outcome = Outcome(
        match="m",
        scores=simulation.scores(),
        ranks=rank_scores(simulation.returns()),
        faults=(None,) * num_seats,
        actions=pack_actions(actions),
        think_us=bytes(4 * len(actions)),
        think_ms=(0.0,) * num_seats,
    )
    return make_record(GameRef(game.name, game.version, {}), seed, NAMES[:num_seats], outcome)


@pytest.fixture(scope="session")
def record():
    return make_random_record(all_games()["ninjan"], 3)


@pytest.fixture(scope="session")
def frames(record):
    return list(record_frames(record, PATH))


@pytest.fixture(scope="session")
def page_url(record, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "match.html"
    path.write_text(record_page(record, PATH), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def tab(browser, page_url):
    tab = browser.open(page_url)
    yield tab
    assert tab.complaints() == []


def place(tab):
    return int(tab.value("document.querySelector('#place').value"))


def board(tab):
    return tab.value("document.querySelector('#board').innerHTML")


def in_browser(tab, svg):
    """Returns markup as the browser would write it."""
    return tab.value(
        f"(() => {{ const d = document.createElement('div'); d.innerHTML = {svg!r}; return d.innerHTML }})()"
    )


def test_opens_at_the_deal(tab, frames):
    assert tab.text("#status") == "deal"
    assert board(tab) == in_browser(tab, frames[0].picture)
    assert tab.value("document.querySelectorAll('#moves li').length") == len(frames)


def test_keys_step_jump_and_stop_at_the_ends(tab, frames):
    last = len(frames) - 1
    tab.press("ArrowLeft")
    assert place(tab) == 0
    tab.press("ArrowRight")
    tab.press("ArrowRight")
    assert place(tab) == 2
    assert board(tab) == in_browser(tab, frames[2].picture)
    tab.press("ArrowLeft")
    assert place(tab) == 1
    tab.press("End")
    assert place(tab) == last
    assert board(tab) == in_browser(tab, frames[last].picture)
    tab.press("ArrowRight")
    assert place(tab) == last
    tab.press("Home")
    assert place(tab) == 0


def test_every_position_is_the_one_that_was_drawn(tab, frames):
    for frame in frames:
        assert board(tab) == in_browser(tab, frame.picture)
        tab.press("ArrowRight")


def test_buttons_and_moves_can_be_clicked(tab, frames):
    tab.click("#next")
    assert place(tab) == 1
    tab.click("#last")
    assert place(tab) == len(frames) - 1
    tab.click("#back")
    assert place(tab) == len(frames) - 2
    tab.click("#moves li:nth-child(8) button")
    assert place(tab) == 7
    assert tab.text("#moves li:nth-child(8) b") == frames[7].move
    assert tab.value("document.querySelectorAll('#moves [aria-current]').length") == 1
    assert tab.value("document.querySelector('#moves [aria-current]').dataset.place") == "7"
    tab.click("#first")
    assert place(tab) == 0
    assert tab.value("document.querySelector('#back').disabled")


def test_status_names_ply_seat_and_action(tab, frames, record):
    tab.press("ArrowRight")
    line = record.plies[0]
    assert tab.text("#status") == f"after ply 0: seat {line.seat}, {NAMES[line.seat]}, {line.action}"


def test_scores_follow_and_places_are_told_at_the_end(tab, frames, record):
    cells = "[...document.querySelectorAll('aside .score')].map(e => Number(e.textContent))"
    told = "[...document.querySelectorAll('aside .place')].filter(e => !e.hidden).map(e => e.textContent)"
    assert tab.value(cells) == list(frames[0].scores)
    assert tab.value(told) == []
    tab.press("End")
    assert tab.value(cells) == record.result.scores
    assert tab.value(told) == [f"place {rank}" for rank in record.result.ranks]


def test_a_seats_view_is_shown_on_request_and_hides_what_is_hidden(tab, frames):
    for number in (0, 1, 2, 4):
        for seat in range(3):
            tab.choose("#viewer", str(seat))
            assert board(tab) == in_browser(tab, frames[number].views[seat])
            assert frames[number].views[seat] != frames[number].picture
        tab.choose("#viewer", "-1")
        assert board(tab) == in_browser(tab, frames[number].picture)
        tab.value(f"location.hash = '#{ {0: 1, 1: 2, 2: 4, 4: 0}[number] }'")


def test_play_goes_on_by_itself_and_stops_at_the_end(tab, frames):
    tab.press(" ")
    assert tab.value("document.querySelector('#play').getAttribute('aria-pressed')") == "true"
    tab.call("Emulation.setVirtualTimePolicy", policy="advance", budget=900 * 3 + 450)
    tab.browser.wait_for("Emulation.virtualTimeBudgetExpired", tab.session)
    assert place(tab) == 3
    tab.press(" ")
    tab.call("Emulation.setVirtualTimePolicy", policy="advance", budget=3000)
    tab.browser.wait_for("Emulation.virtualTimeBudgetExpired", tab.session)
    assert place(tab) == 3
    tab.click("#play")
    tab.call("Emulation.setVirtualTimePolicy", policy="advance", budget=900 * len(frames))
    tab.browser.wait_for("Emulation.virtualTimeBudgetExpired", tab.session)
    assert place(tab) == len(frames) - 1
    assert tab.text("#play") == "Play"


def test_space_on_a_button_presses_that_button(tab):
    tab.value("document.querySelector('#next').focus()")
    tab.press(" ")
    assert place(tab) == 1
    assert tab.text("#play") == "Play"


def test_keys_in_a_list_are_the_lists_own(tab):
    tab.value("document.querySelector('#viewer').focus()")
    tab.press("End")
    assert place(tab) == 0


def test_address_keeps_the_place(browser, page_url, frames):
    tab = browser.open(f"{page_url}#5")
    assert place(tab) == 5
    assert tab.text("#status").startswith("after ply 4:")
    tab.press("ArrowRight")
    assert tab.value("location.hash") == "#6"
    for odd, shown in (("#99999", len(frames) - 1), ("#-3", 0), ("#x", 0)):
        tab = browser.open(f"{page_url}{odd}")
        assert place(tab) == shown
        assert tab.complaints() == []


def luminance(tab, selector, property_name):
    colour = tab.value(f"getComputedStyle(document.querySelector('{selector}'))['{property_name}']")
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize("chosen", ["", "light", "dark"])
def test_colours_follow_the_system_or_the_choice_and_can_be_read(tab, system, chosen):
    tab.prefer(system)
    tab.choose("#theme", chosen)
    is_dark = (chosen or system) == "dark"
    paper = luminance(tab, "body", "backgroundColor")
    assert (paper < 0.1) == is_dark
    assert luminance(tab, "#board svg rect", "fill") == paper
    for selector, property_name in (("body", "color"), ("#status", "color"), ("#board text", "fill")):
        ink = luminance(tab, selector, property_name)
        assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) >= 4.5


def test_names_are_text_wherever_they_stand(tab):
    assert tab.value("document.title").startswith("Ninjan: </script>")
    assert tab.value("document.querySelectorAll('script').length") == 2
    assert tab.text("aside tr:first-child bdi") == NASTY
    assert NASTY in tab.text("#viewer option:nth-child(2)")


def test_nothing_is_fetched_and_no_other_script_may_run(tab):
    assert all(url.startswith("file:") for url in tab.requests())
    assert len(tab.requests()) == 1
    tab.value("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
    assert tab.value("document.title") != "1"
    blocked = tab.complaints()
    assert blocked
    assert all("Content Security Policy" in entry["entry"]["text"] for entry in blocked)
    tab.browser.events.clear()


def test_fits_a_narrow_window(browser, page_url):
    tab = browser.open(page_url, width=380, height=700)
    assert tab.value("document.documentElement.scrollWidth") <= 380


def test_reads_without_script(frames, record):
    """The moves and the first position stand in the markup itself."""
    markup = record_page(record, PATH).split("<script")[0]
    assert frames[0].picture in markup
    assert [f"<b>{line.action}</b>" in markup for line in record.plies] == [True] * len(record.plies)


def test_no_address_of_anything_else(record):
    page = record_page(record, PATH).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]|url\(|@import|\bsrc=|<link", page)


def test_page_is_the_same_every_time(record):
    assert record_page(record, PATH) == record_page(record, PATH)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_every_game_has_a_page_of_bounded_size(browser, tmp_path, game):
    path = tmp_path / "match.html"
    record = make_random_record(game, game.seats[-1])
    path.write_text(record_page(record, PATH), encoding="utf-8")
    assert path.stat().st_size < MAX_BYTES
    tab = browser.open(path.as_uri())
    tab.press("End")
    assert place(tab) == len(record.plies)
    assert tab.complaints() == []


def test_substitutes_are_marked():
    svg = "<svg xmlns='http://www.w3.org/2000/svg'></svg>"
    frames = [Frame(svg, (svg, svg), "", None, (0, 0)), Frame(svg, (svg, svg), "4", 1, (0, 1), "substitute")]
    page = replay_page("a match", ["one", "two"], frames, ["place 1", "place 2, crash"])
    assert "<b>4</b> <i>substitute</i>" in page
    assert "after ply 0: seat 1, two, 4 (substitute)" in page
    assert "place 2, crash" in page
