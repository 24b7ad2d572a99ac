"""Thinks for a millisecond, on the processor, and then answers."""

import time

from arena import Action, Bot, View


class Millisecond(Bot[View]):
    def act(self, view: View) -> Action:
        until = time.perf_counter() + 0.001
        while time.perf_counter() < until:
            pass
        return view.rng.choice(view.legal)
