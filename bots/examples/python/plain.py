"""A bot in plain Python, without the arena's package: it speaks the line protocol itself.

It chooses at random among the legal actions. Where it says so, put your own choice.
"""

import json
import random
import sys


def send(message: dict) -> None:
    """Sends one object a line, at once: what waits in a buffer is not an answer."""
    print(json.dumps(message), flush=True)


def choose(view: dict, legal: list, dice: random.Random) -> str:
    """Makes your choice; `arena games schema GAME` says what `view` holds."""
    return dice.choice(legal)


def main() -> None:
    """Answers messages until it is told to quit."""
    dice = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            # Load tables and models here: the time until `ready` counts against start_s, not against a move.
            send({"type": "ready"})
        elif message["type"] == "start":
            # With the seed that it is given, a bot plays the same match again.
            dice = random.Random(message["seed"])
            print(f"seat {message['seat']} of {message['players']}", file=sys.stderr)  # the log
        elif message["type"] == "act":
            action = choose(message["view"], message["legal"], dice)
            send({"type": "act", "ply": message["ply"], "action": action})
        elif message["type"] == "end":
            print("result:", json.dumps(message["result"]), file=sys.stderr)
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main()
