"""Uses a modest amount of processor time for each move, and logs how long that took."""

import time

from arena import Action, Bot, View


class Thinks(Bot[View]):
    def act(self, view: View) -> Action:
        begun, end = time.monotonic(), time.process_time() + 0.15
        while time.process_time() < end:
            pass
        print(f"{time.monotonic() - begun:.2f} s")
        return view.legal[0]
