"""The reference, but asked for the stage of an optimizer, it asks its first scaler. Usage: confused_subject.py <the reference's program>."""

import json
import subprocess
import sys

scalers = []


def confuse(command):
    """Asks the first scaler, in blocks too."""
    if command.get("do") == "scaler.new" and "as" in command:
        scalers.append(command["as"])
    given = command.get("with", {})
    if command.get("do") == "scaler.stage" and given.get("scaler", {}).get("ref") in scalers:
        given["scaler"]["ref"] = scalers[0]
    for inner in command.get("body", []):
        confuse(inner)
    if command.get("do") in ("reset", "hello"):
        scalers.clear()


with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reference:
    for line in sys.stdin:
        message = json.loads(line)
        confuse(message)
        reference.stdin.write(json.dumps(message) + "\n")
        reference.stdin.flush()
        sys.stdout.write(reference.stdout.readline())
        sys.stdout.flush()
    reference.stdin.close()
