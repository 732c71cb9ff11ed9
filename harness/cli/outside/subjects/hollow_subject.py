#!/usr/bin/env python3
"""Another subject, which says less, or something else, in the way it is told. Usage: hollow_subject.py <way> <more> <program>."""

import json
import os
import pathlib
import subprocess
import sys

WAY, MORE, PROGRAM = sys.argv[1], sys.argv[2], sys.argv[3:]
AREAS = pathlib.Path(__file__).resolve().parents[3] / "protocol" / "areas"
# The fields of all commands: whoever believes a list of what is not shown believes this one.
EVERYTHING = sorted({field.rstrip("?") for area in AREAS.glob("*.json")
                     for command in json.loads(area.read_text(encoding="utf-8")).get("commands", {}).values() for field in command.get("ok", {})})


def process_number():
    """Counts the processes of the run in the file MORE."""
    with open(MORE, "a+", encoding="ascii") as file:
        file.write("x")
        file.flush()
        return file.seek(0, os.SEEK_END)


def with_other_names(value):
    if isinstance(value, dict):
        return {"ref": "zzz~1"} if set(value) == {"ref"} else {name: with_other_names(item) for name, item in value.items()}
    return [with_other_names(item) for item in value] if isinstance(value, list) else value


def show_nothing(reply):
    return {"ok": {}, "blind": EVERYTHING}


def hide(reply):
    """Without the fields in MORE, to which it says it is blind."""
    hidden = [name for name in MORE.split(",") if name in reply.get("ok", {})]
    shown = {name: value for name, value in reply.get("ok", {}).items() if name not in hidden}
    return reply | ({"ok": shown, "blind": hidden} if hidden else {})


def flat(value):
    """All numbers of a type are one, in tensors and beside them."""
    if isinstance(value, dict):
        if "bits" in value and "dtype" in value:
            return value | {"bits": "".join(" " if c == " " else "4" for c in value["bits"])}
        return {"f": "0x1.8p+1"} if set(value) == {"f"} else {name: flat(item) for name, item in value.items()}
    return [flat(item) for item in value] if isinstance(value, list) else value


def without_code(reply):
    if "error" not in reply:
        return reply
    return reply | {"error": {name: value for name, value in reply["error"].items() if name != "code"}}


WAYS = {
    "stuffs": lambda reply: reply | {"counts": {"stuff": [0] * int(MORE)}},
    "raises_with_another_code": lambda reply: reply | {"error": reply["error"] | {"code": 7}} if "error" in reply else reply,
    "raises_without_a_code": without_code,
    "raises_without_a_code_and_says_so": without_code,
    "flattens": flat,
    "raises": lambda reply: {"error": {"kind": "error", "message": "no"}},
    "shows_nothing": show_nothing,
    "hides": hide,
    "hides_and_says_so": hide,
    "does_not_count": lambda reply: {name: value for name, value in reply.items() if name != "counts"},
    "renames": lambda reply: reply | {"ok": with_other_names(reply["ok"])} if "ok" in reply else reply,
}


def hello(reply, wish, number):
    mine = reply["ok"] | {"name": "hollow", "areas": ["amp", "core"]}
    if WAY == "flattens" or WAY.startswith("raises_with"):
        mine["areas"] = reply["ok"]["areas"]
        mine["without"] = ["code"] if WAY.endswith("says_so") else []
    elif WAY == "claims":
        mine["areas"] = MORE.split(",")
    elif WAY == "is_without":
        mine["without"] = MORE.split(",")
    elif WAY == "hides_and_says_so":
        mine["without"] = [f"value.{name}" for name in MORE.split(",")]
    elif WAY == "has_no_amp_on_a_cpu":
        mine["areas"] = ["core"] if wish.get("device_rules") == "cpu" else ["amp"]
    elif WAY in ("changes_in_a_second_process", "changes_after_a_crash") and number > 1:
        mine["areas"] = ["core"]
    return mine


def main():
    resets = 0
    number = process_number() if WAY.startswith("changes_") else 0
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        for line in sys.stdin:
            command = json.loads(line)
            program.stdin.write(line)
            program.stdin.flush()
            reply = json.loads(program.stdout.readline())
            if command["do"] == "hello":
                reply["ok"] = hello(reply, command["with"], number)
            elif command["do"] == "reset":
                resets += 1
            else:
                if WAY == "lies_in_the_third_and_sixth_run" and resets in (3, 6):
                    reply = flat(reply)
                if WAY == "answers_every_second_run" and resets % 2 == int(MORE):
                    reply = {"id": reply["id"], "unsupported": "not now"}
                if WAY == "changes_after_a_crash" and number == 1:
                    os._exit(7)
                reply = {"id": reply["id"]} | WAYS.get(WAY, lambda reply: reply)(reply)
            text = json.dumps(reply)
            if WAY == "doubles_its_id" and command["do"] not in ("hello", "reset"):
                text = text.replace('{"id":', '{"id": 7, "id":', 1)
            print(text, flush=True)
        program.stdin.close()


main()
