"""Rating models: from results to a mean and a deviation for each entrant."""

from leaderboards.ratings.model import Model, Ratings
from leaderboards.ratings.order_free import TrueSkill
from leaderboards.ratings.registry import DEFAULT_MODEL, get_model, model_names

__all__ = ["DEFAULT_MODEL", "Model", "Ratings", "TrueSkill", "get_model", "model_names"]
