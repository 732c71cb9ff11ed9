#!/usr/bin/env python3
"""A subject that answers hello and reset, and otherwise follows its arguments. Usage: toy_subject.py <mode> [<file that counts> | <seconds> | <what it is without> | <areas>]."""

import json
import os
import sys
import time

MODE, MORE = (sys.argv + ["", ""])[1:3]
WRONG = {"scale": {"f": "0x1p+0"}, "tracker": 0, "found_inf": {"f": "0x0p+0"}, "same": True}


def count():
    """The number of times this was called, over all processes of the run."""
    with open(MORE, "a+", encoding="ascii") as file:
        file.write("x")
        file.flush()
        return file.seek(0, os.SEEK_END)


def hello(wish):
    if MODE == "once_too_often" and count() > 4:
        sys.exit("toy: out of luck")
    if MODE == "hangs_in_hello":
        time.sleep(3600)
    devices = ["cpu", "cuda:0", "cuda:1"] if MODE == "says_nothing" else ["cuda:0"]
    return {"protocol": 9 if MODE == "protocol" else 1, "name": "toy", "version": "1", "devices": [{"device": name} for name in devices],
            "areas": MORE.split(",") if MODE == "says_nothing" else ["amp"], "threads": MODE == "says_nothing", **({"without": MORE.split(",")} if MODE == "partial" and MORE else {}), **wish}


def dies():
    sys.stderr.write("toy: out of luck\n")
    sys.stderr.flush()
    os._exit(7)


def hangs():
    time.sleep(3600)


def hangs_later():
    if count() > 3:
        time.sleep(3600)
    return {"unsupported": "not yet"}


def hangs_once():
    if count() == 4:
        time.sleep(3600)
    return {"unsupported": "not yet"}


def fails_then_hangs():
    if count() > 3:
        time.sleep(3600)
    return {"ok": WRONG}


def slow():
    time.sleep(float(MORE or 0.2))
    return {"unsupported": "too slow"}


def flaky():
    return {"invalid": "not now"} if count() in (3, 6) else {"unsupported": "nothing here"}


def backs_off(given, otherwise):
    """The correct reply to an update that backs off from 8 to 4, and to nothing else."""
    flag, scale, backoff = (float.fromhex(given[name]["f"].partition(":")[0]) for name in ("found_inf", "scale", "backoff"))
    if flag == 0 or (scale, backoff) != (8, 0.5):
        return otherwise
    return {"ok": {"scale": {"f": "0x1p+2"}, "tracker": 0, "found_inf": given["found_inf"], "same": True}}


MODES = {
    "dies": dies,
    "once_too_often": dies,
    "hangs": hangs,
    "hangs_later": hangs_later,
    "hangs_once": hangs_once,
    "fails_then_hangs": fails_then_hangs,
    "slow": slow,
    "flaky": flaky,
    "unsupported": lambda: {"unsupported": "nothing here"},
    "mixes_up": lambda: {"id": 999999, "ok": {}},
    "wrong": lambda: {"ok": WRONG},
    "says_nothing": lambda: {"ok": {}},
    "rude": lambda: {"error": {"kind": "error", "message": "\x1b[2J\x00\x07 <&>\"']]> \ufffe \udc80"}},
}


PARTS = {"partial": MODES["unsupported"](), "ends_badly": MODES["unsupported"](), "partly_wrong": MODES["wrong"]()}


def answer(command):
    if MODE not in PARTS:
        return MODES.get(MODE, MODES["unsupported"])()
    try:
        return backs_off(command["with"], PARTS[MODE])
    except (KeyError, TypeError):
        return PARTS[MODE]


def main():
    for line in sys.stdin:
        command = json.loads(line)
        reply = {"id": command["id"]}
        if command["do"] == "hello":
            reply["ok"] = hello(command["with"])
        elif command["do"] == "reset":
            reply["ok"] = {"uncleaned": []}
        else:
            reply |= answer(command)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
    if MODE == "ends_badly":
        time.sleep(float(MORE or 0))
        sys.exit(3)


if __name__ == "__main__":
    main()
