#!/usr/bin/env python3
"""A subject that is being built: another, of which some commands are missing. Usage: half_built_subject.py <areas> <commands> <program>.

It claims the areas (a,b), and answers only the commands in the file, one a line, and what belongs to every session."""

import json
import pathlib
import subprocess
import sys

AREAS, BUILT, PROGRAM = sys.argv[1].split(","), set(pathlib.Path(sys.argv[2]).read_text(encoding="ascii").split()), sys.argv[3:]
ALWAYS = {"hello", "reset", "bye"}


def missing(command):
    """The first command, of a block or alone, that is not built yet."""
    if command["do"] not in BUILT | ALWAYS:
        return command["do"]
    blocks = [command.get(name, []) for name in ("enter", "body", "observe")]
    return next((found for block in blocks for inner in block if (found := missing(inner))), None)


def main():
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        for line in sys.stdin:
            command = json.loads(line)
            if verb := missing(command):
                print(json.dumps({"id": command.get("id"), "unsupported": f"{verb} is not built yet"}), flush=True)
                continue
            program.stdin.write(line)
            program.stdin.flush()
            reply = json.loads(program.stdout.readline())
            if command["do"] == "hello":
                reply["ok"] |= {"name": "half built", "areas": AREAS, "without": []}
            print(json.dumps(reply), flush=True)
        program.stdin.close()


main()
