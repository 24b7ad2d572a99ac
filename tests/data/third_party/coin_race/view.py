"""What a seat of Coin Race may know: everything."""

import msgspec

from arena.core.view import View
from coin_race.layout import PLACE


class CoinRaceFields(msgspec.Struct, frozen=True):
    """The named fields of a view."""

    places: list[int]
    """How far each seat has come."""


class CoinRaceView(View):
    """A view of Coin Race."""

    __slots__ = ()
    Fields = CoinRaceFields

    @property
    def places(self):
        """How far each seat has come."""
        return list(self.words[PLACE : PLACE + self.num_seats])
