"""The games' pictures in a real browser: everything inside the frame, every text large and dark enough to read."""

import random

import pytest

from arena.games import all_games
from arena.kernels.simulation import Simulation

NAMES = ["W" * 60, "mcts:simulations=500", "<b>&", "i" * 60, "random#2"]
MIN_SIZE = 11  # pixels, at 800 pixels' width
MIN_CONTRAST = 4.5

# For every text: its edges against the picture's, its size, and its contrast with what is painted under it.
MEASURE = """
(() => {
  const svg = document.querySelector('svg'), frame = svg.getBoundingClientRect();
  const light = (css) => {
    const [r, g, b] = css.match(/[0-9.]+/g).slice(0, 3).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const shapes = [...svg.querySelectorAll('rect, text, path, circle')];
  const grounds = shapes.filter((e) => e.tagName === 'rect');
  return shapes.map((e) => {
    const box = e.getBoundingClientRect(), style = getComputedStyle(e);
    const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1
      && box.bottom <= frame.bottom + 1;
    if (e.tagName !== 'text') return {inside, what: e.outerHTML.slice(0, 120)};
    const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    const under = grounds.filter((g) => g.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)
      .filter((g) => {
        const r = g.getBoundingClientRect();
        return r.left <= x && x <= r.right && r.top <= y && y <= r.bottom;
      }).pop();
    const [a, b] = [light(style.fill), light(getComputedStyle(under).fill)].sort((p, q) => q - p);
    return {inside, what: e.textContent, size: parseFloat(style.fontSize), contrast: (a + 0.05) / (b + 0.05),
      box: [box.left, box.top, box.right, box.bottom]};
  });
})()
"""


def positions(game, num_seats):
    """Yields some positions of a random match as pictures, the last included, for the table and for one seat."""
    rng = random.Random(num_seats)
    simulation = Simulation.from_deal(game, game.encode_options(game.Options()), num_seats, num_seats)
    number = 0
    while True:
        if number % 17 == 0 or simulation.is_over:
            yield game.svg(simulation.words(), names=NAMES[:num_seats])
            masked = memoryview(simulation.observed(1)).cast("q").tolist()
            yield game.svg(masked, names=NAMES[:num_seats], observer=1)
        if simulation.is_over:
            return
        simulation.play(rng.choice(simulation.legal))
        number += 1


def overlap(one, other):
    """Says whether two boxes share more than a sliver; lines of text may touch."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > 2 and down > 6


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_pictures_can_be_read(browser, tmp_path, game, scheme):
    path = tmp_path / "empty.html"
    path.write_text("<!doctype html><meta charset=utf-8><style>body{margin:0}</style><body>", encoding="utf-8")
    tab = browser.open(path.as_uri(), width=900, height=1200)
    tab.prefer(scheme)
    for num_seats in (game.seats[0], game.seats[-1]):
        for picture in positions(game, num_seats):
            tab.value(f"document.body.innerHTML = {picture!r}, 1")
            shapes = tab.value(MEASURE)
            assert [shape["what"] for shape in shapes if not shape["inside"]] == []
            texts = [shape for shape in shapes if "size" in shape]
            assert [text for text in texts if text["size"] < MIN_SIZE] == []
            assert [text for text in texts if text["contrast"] < MIN_CONTRAST] == []
            pairs = [(one, other) for place, one in enumerate(texts) for other in texts[:place]]
            assert [(a["what"], b["what"]) for a, b in pairs if overlap(a["box"], b["box"])] == []


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_pictures_stand_alone_as_files(browser, tmp_path, game):
    """A picture on its own is a file that a browser shows: well-formed, in its colours."""
    path = tmp_path / "picture.svg"
    path.write_text(next(positions(game, game.seats[0])), encoding="utf-8")
    tab = browser.open(path.as_uri())
    assert tab.value("document.documentElement.tagName") == "svg"
    assert tab.value("document.querySelectorAll('parsererror').length") == 0
    assert tab.complaints() == []
    assert len(tab.requests()) == 1
