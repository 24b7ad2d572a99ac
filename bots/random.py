"""Plays uniformly random legal actions: the yardstick that everything else must beat."""

from arena import Action, Bot, View


class Random(Bot[View]):
    """Chooses uniformly among the legal actions."""

    version = "1"

    def act(self, view: View) -> Action:
        legal = view.legal
        # Uniform to within 2**-53, and half the cost of randrange: this line is timed in every speed record.
        return legal[int(view.rng.random() * len(legal))]
