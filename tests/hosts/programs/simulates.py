"""Plays each legal action forward, and takes the one after which its playouts end best."""

from arena import Action, Bot, View


class Simulates(Bot[View]):
    def act(self, view: View) -> Action:
        def value(action: Action) -> float:
            position = view.simulate()
            position.play(action)
            while not position.is_over:
                position.play(view.rng.choice(position.legal))
            return position.returns()[view.seat]

        return max(view.legal, key=value)
