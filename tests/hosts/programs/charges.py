"""A bot that says in its child program's place what it did wrong."""

import contextlib
import json
import os

from arena import Bot


class Charges(Bot):
    def act(self, view):
        for kind in ("no_start", "unusable"):
            line = json.dumps({"type": "fault", "kind": kind, "detail": "not mine"}).encode() + b"\n"
            for fd in range(3, 10):
                with contextlib.suppress(OSError):
                    os.write(fd, line)
        return view.legal[0]
