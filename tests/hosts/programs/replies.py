"""Misdeeds of a program that is asked: what it answers, when, and how it ends."""

import json
import os
import re
import signal
import sys
import threading
import time

from misdeeds import CHILDREN, answer, misdeed, say, write


@misdeed
def hangs_in_c(request):
    re.match("(a+)+$", "a" * 200 + "b")


@misdeed
def loops(request):
    while True:
        pass


@misdeed
def sleeps_for_ever(request):
    time.sleep(1e9)


@misdeed
def answers_late(request):
    time.sleep(1.3)
    answer(request)


@misdeed
def floods_standard_output(request):
    while True:
        write(b"x" * 65536)


@misdeed
def floods_with_lines(request):
    while True:
        write(b'{"type":"act","ply":-1,"action":"x"}\n' * 1000)


@misdeed
def floods_bit_by_bit(request):
    """Writes less for each answer than it may."""
    write(b'{"type":"act","ply":-1,"action":"x"}\n' * 12_000)
    answer(request)


@misdeed
def drips(request):
    for _ in range(60):
        write(b" ")
        time.sleep(0.05)
    sys.exit(0)


@misdeed
def writes_half_a_line(request):
    write(b'{"type":"act","ply":')
    time.sleep(1e9)


@misdeed
def ends_within_a_line(request):
    write(b'{"type":"act","ply":')
    sys.exit(0)


@misdeed
def answers_an_earlier_ply(request):
    answer(request, ply=request["ply"] - 1)
    answer(request)


@misdeed
def logs_within_its_answer(request):
    data = json.dumps({"type": "act", "ply": request["ply"], "action": request["legal"][0]}).encode() + b"\n"
    for place in range(0, len(data), 7):
        write(data[place : place + 7])
        os.write(2, b'{"type":"act","ply":0,"action":"none"}\n')


@misdeed
def answers_a_later_ply(request):
    answer(request, ply=request["ply"] + 2)


@misdeed
def answers_before_it_is_asked(request):
    plies = range(request["ply"], request["ply"] + 10)
    lines = [json.dumps({"type": "act", "ply": ply, "action": request["legal"][0]}) + "\n" for ply in plies]
    write("".join(lines).encode())  # in one go: else the next request may come in between


@misdeed
def leaves_with_its_answer(request):
    answer(request)
    os._exit(0)


@misdeed
def spins_when_it_is_not_asked(request):
    answer(request)
    if threading.active_count() > 1 or CHILDREN:
        return
    for _ in range(20):
        try:
            CHILDREN.append(os.fork())
            if CHILDREN[-1] == 0:
                os.setsid()
                loops(request)
        except OSError:
            threading.Thread(target=loops, args=[request], daemon=True).start()
            return


@misdeed
def answers_an_unknown_action(request):
    answer(request, action="\x1b[31m<b>'\"\u202e")


@misdeed
def answers_an_illegal_action(request):
    known = {"@1", "@2", "@3", "R8", "S10"}
    answer(request, action=min(known.difference(request["legal"])))


@misdeed
def answers_no_text(request):
    answer(request, action=None)


@misdeed
def answers_nan(request):
    answer(request, note={"value": float("nan")})


@misdeed
def answers_a_huge_number(request):
    write(b'{"type":"act","ply":%d,"action":"x","note":{"value":1e400}}\n' % request["ply"])


@misdeed
def answers_a_huge_ply(request):
    write(b'{"type":"act","ply":1' + b"0" * 400 + b',"action":"x"}\n')


@misdeed
def answers_deep_json(request):
    write(b'{"type":"act","x":' + b"[" * 50_000 + b"\n")


@misdeed
def answers_bad_utf8(request):
    write(b'{"type":"act","ply":0,"action":"\xff\xfe"}\n')


@misdeed
def answers_many_notes(request):
    answer(request, note={str(number): 1.0 for number in range(1000)})


@misdeed
def says_ready_again(request):
    say({"type": "ready"})


@misdeed
def pretends_to_be_the_child(request):
    say({"type": "fault", "kind": "memory", "detail": "not mine"})


@misdeed
def ends_by_a_signal(request):
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


@misdeed
def closes_its_output(request):
    os.close(1)
    time.sleep(1e9)


@misdeed
def stops_itself(request):
    os.kill(os.getpid(), signal.SIGSTOP)
