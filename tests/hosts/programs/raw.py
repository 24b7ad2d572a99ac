"""A program that speaks the line protocol and, as its first argument says, misbehaves; without it, it plays fair.

What it gets hold of that it should not, it writes to its log behind the word LEAK.
"""

import json
import sys

import escapes
import replies
import starts
from misdeeds import MISDEEDS, answer, say, write

assert escapes and replies and starts  # which have filled the list of misdeeds

AT_START = {name for name, function in MISDEEDS.items() if function.__code__.co_argcount == 0}


def transcribe():
    """Plays fair and writes the first messages, both ways, to its log."""
    dots = "  ..."
    for number, line in enumerate(sys.stdin):
        message = json.loads(line)
        if message["type"] == "act" and number >= 5:
            if dots:
                print(dots, file=sys.stderr)
            dots = ""
            answer(message)
            continue
        print("<", line.rstrip(), file=sys.stderr)
        replies = {
            "hello": {"type": "ready"},
            "act": {
                "type": "act",
                "ply": message.get("ply"),
                "action": message.get("legal", [""])[0],
                "note": {"value": 0.5},
            },
        }
        if message["type"] in replies:
            reply = json.dumps(replies[message["type"]], separators=(",", ":"))
            print(">", reply, file=sys.stderr)
            write(reply.encode() + b"\n")
        if message["type"] == "quit":
            return


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name == "transcribe":
        transcribe()
        return
    if name in AT_START:
        MISDEEDS[name]()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "ready"})
        elif message["type"] == "act":
            if name in MISDEEDS and name not in AT_START:
                MISDEEDS[name](message)
            else:
                answer(message, note={"legal": len(message["legal"])})
        elif message["type"] == "end":
            print("END", json.dumps(message["result"]), file=sys.stderr, flush=True)
        elif message["type"] == "quit" and name != "ignores_signals":
            return


main()
