"""Chooses by its own seed and by the order of a set: plays the same wherever it runs, for one seed."""

from arena import Action, Bot, View


class Chooses(Bot[View]):
    def act(self, view: View) -> Action:
        return view.rng.choice(view.legal)
