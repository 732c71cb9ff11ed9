#!/usr/bin/env python3
"""A runtime as it was written for Assay 0.1, and never changed since. Usage: whole_runtime.py <areas> <program>.

It knows the commands and arguments of that time (vocabulary.txt), and the program answers them. Whatever else it is asked is `unsupported`:
a case that asks it would make the verdict of every subject of that time INCOMPLETE."""

import json
import pathlib
import subprocess
import sys

AREAS, PROGRAM = sys.argv[1].split(","), sys.argv[2:]
VOCABULARY = {line.split()[0]: set(line.split()[1:]) for line in (pathlib.Path(__file__).parent / "vocabulary.txt").read_text(encoding="ascii").splitlines()}
MEMBERS = {"id", "do", "with", "as", "count", "digest", "enter", "body", "threads", "observe"}


def strange(command):
    """What this runtime does not know of a command or of those in its blocks; empty if it knows all."""
    if command["do"] not in VOCABULARY:
        return command["do"]
    if more := set(command.get("with", {})) - VOCABULARY[command["do"]] or set(command) - MEMBERS:
        return f"{command['do']} with {', '.join(sorted(more))}"
    blocks = [command.get("enter", []), command.get("body", []), command.get("observe", []), *command.get("threads", {}).values()]
    return next((found for block in blocks for inner in block if (found := strange(inner))), "")


def main():
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        for line in sys.stdin:
            command = json.loads(line)
            if found := strange(command):
                print(json.dumps({"id": command.get("id"), "unsupported": found}), flush=True)
                continue
            program.stdin.write(line)
            program.stdin.flush()
            reply = json.loads(program.stdout.readline())
            if command["do"] == "hello":
                said = {name: reply["ok"][name] for name in ("protocol", "devices", "threads", "release", "device_rules", "deviations")}
                reply = {"id": command["id"], "ok": said | {"name": "whole", "version": "1", "areas": AREAS}}
            print(json.dumps(reply), flush=True)
        program.stdin.close()


main()
