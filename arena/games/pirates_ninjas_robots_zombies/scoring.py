"""Regions and points in plain Python, for views and pictures; the kernels have their own (regions.py)."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.core.game import Words
from arena.games.pirates_ninjas_robots_zombies.layout import BASE, BONUS, CHARACTER, ENEMY, NUM_CHARACTERS, NUM_SEATS
from arena.games.pirates_ninjas_robots_zombies.reading import Placed, layout_of, owners

POINTS = {CHARACTER: 1, BONUS: 3, BASE: 5}
CORNERS = ((0, 1), (1, 1), (1, 0), (0, 0))  # of a tile's sections, clockwise from the top left, in half tiles

Spot = tuple[int, int]
"""A section's place in half tiles: x to the right, y upward."""


class Region(NamedTuple):
    """Sections of one character that hang together."""

    character: int
    spots: frozenset[Spot]
    negated: frozenset[Spot]
    """Those that an arch-enemy beside them keeps from scoring."""
    points: int


def spots_of(layout: Sequence[Placed]) -> dict[Spot, int]:
    """Returns the section at every spot of a layout."""
    return {
        (2 * placed.x + dx, 2 * placed.y + dy): section
        for placed in layout
        for (dx, dy), section in zip(CORNERS, placed.sections, strict=True)
    }


def beside(spot: Spot) -> tuple[Spot, ...]:
    """Returns the four neighbours of a spot."""
    x, y = spot
    return (x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)


def region_at(sections: dict[Spot, int], start: Spot) -> Region:
    """Returns the region that a spot belongs to."""
    character = sections[start] & 3
    enemy = (ENEMY << 2) | character
    spots, todo = {start}, [start]
    while todo:
        for spot in beside(todo.pop()):
            section = sections.get(spot, enemy)
            if section & 3 == character and section != enemy and spot not in spots:
                spots.add(spot)
                todo.append(spot)
    base = (BASE << 2) | character
    open_to = {spot for spot in spots if any(sections.get(other) == enemy for other in beside(spot))}
    negated = frozenset(spot for spot in open_to if sections[spot] != base)
    points = sum(POINTS[sections[spot] >> 2] for spot in spots - negated if sections[spot] != base)
    points += POINTS[BASE] * any(sections[spot] == base for spot in spots)
    return Region(character, frozenset(spots), negated, points)


def regions_of(layout: Sequence[Placed]) -> list[Region]:
    """Returns all regions of a layout, the best first."""
    sections = spots_of(layout)
    seen: set[Spot] = set()
    regions = []
    for spot, section in sorted(sections.items()):
        if spot not in seen and section >> 2 != ENEMY:
            region = region_at(sections, spot)
            seen |= region.spots
            regions.append(region)
    return sorted(regions, key=lambda region: -region.points)


def best_regions(words: Words) -> list[Region | None]:
    """Returns the best region of each character, None for one that is nowhere in play."""
    regions = regions_of(layout_of(words))
    return [
        next((region for region in regions if region.character == character), None)
        for character in range(NUM_CHARACTERS)
    ]


def points_of(words: Words) -> list[int]:
    """Returns each seat's points as the layout lies."""
    totals = [0] * words[NUM_SEATS]
    for owner, region in zip(owners(words), best_regions(words), strict=True):
        if owner is not None and region is not None:
            totals[owner] += region.points
    return totals
