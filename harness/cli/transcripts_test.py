#!/usr/bin/env python3
"""Tests that a changed digit of a recorded reply is detected. Usage: transcripts_test.py <program assay> <transcript>."""

import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

WANTED = 20
# The last digit of the first element of a tensor without NaNs.
BITS = re.compile(r'("bits":"(?!7f[89a-f]|ff[89a-f]|7[c-f]|f[c-f])[0-9a-f]+)([0-9a-f])')


def changed(entry):
    """The entry with one digit of one reply changed; None if no reply contains a tensor."""
    for exchange in reversed(entry["exchanges"]):
        text = json.dumps(exchange[1], separators=(",", ":"))
        other, count = BITS.subn(lambda found: found[1] + format(int(found[2], 16) ^ 1, "x"), text, count=1)
        if count and "error" not in exchange[1]:
            exchange[1] = json.loads(other)
            return entry
    return None


def main():
    assay, transcript = sys.argv[1:3]
    with gzip.open(transcript, "rt", encoding="utf-8") as file:
        header, *lines = file.read().splitlines()
    entries = [entry for entry in (changed(json.loads(line)) for line in lines) if entry][:WANTED]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "changed.jsonl"
        path.write_text("\n".join([header, *(json.dumps(entry) for entry in entries)]) + "\n", encoding="utf-8")
        done = subprocess.run([assay, "replay", str(path)], capture_output=True, text=True)
    failed = set(re.findall(r"^ *fail +(\S+)", done.stdout, re.M | re.I))  # as a card, or as a line
    noticed = sum(entry["case"] in failed for entry in entries)
    print(f"{noticed} of {len(entries)} changes were noticed, exit code {done.returncode}")
    return 0 if noticed == len(entries) == WANTED and done.returncode == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
