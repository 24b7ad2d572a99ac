"""The rating models by name."""

from collections.abc import Callable
from difflib import get_close_matches

from arena.errors import UnknownName
from leaderboards.ratings.model import Model
from leaderboards.ratings.order_free import TrueSkill

DEFAULT_MODEL = "trueskill"


def _online() -> Model:
    """Makes the online model; the package it stands on is imported when it is asked for."""
    from leaderboards.ratings.online import OnlineTrueSkill

    return OnlineTrueSkill()


_MODELS: dict[str, Callable[[], Model]] = {DEFAULT_MODEL: TrueSkill, "trueskill-online": _online}


def model_names() -> tuple[str, ...]:
    """Returns the names of all models, the default first."""
    return tuple(_MODELS)


def get_model(name: str) -> Model:
    """Returns the model of a name, with its customary constants.

    Raises:
        UnknownName: if there is none.
    """
    if name in _MODELS:
        return _MODELS[name]()
    near = get_close_matches(name.casefold(), _MODELS, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(_MODELS)}"
    raise UnknownName(f"no rating is called {name!r}; {hint}")
