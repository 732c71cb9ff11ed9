#!/usr/bin/env python3
"""Types and shapes of results are those that PyTorch was recorded to give, whether elements are computed or not.
Usage: recorded_shapes_test.py PROGRAM RECORDING..."""

import gzip
import json
import subprocess
import sys
import unittest

PROGRAM, RECORDINGS = sys.argv[1], sys.argv[2:]
CASES = "autocast/rule/"


class Subject:
    """Asks the program, one JSON object a line."""

    def __init__(self):
        self.process = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def outline(value):
    """Replaces tensors by their dtype and shape; returns other values unchanged."""
    if isinstance(value, list):
        return [outline(item) for item in value]
    if isinstance(value, dict) and "tensor" in value:
        return value["tensor"]["dtype"], value["tensor"]["shape"]
    return value


def entries(recording):
    with gzip.open(recording, "rt") as lines:
        for line in lines:
            entry = json.loads(line)
            if entry.get("case", "").startswith(CASES):
                yield entry


class RecordedShapes(unittest.TestCase):
    def test_results_have_the_recorded_types_and_shapes(self):
        subject = Subject()
        self.addCleanup(subject.close)
        compared = 0
        for recording in RECORDINGS:
            for entry in entries(recording):
                contract = {name: entry[name] for name in ("release", "device_rules", "deviations")}
                subject.ask({"id": 0, "do": "hello", "with": contract})
                subject.ask({"id": 0, "do": "reset"})
                for command, reply in entry["exchanges"]:
                    got = subject.ask(command)
                    with self.subTest(case=entry["case"], release=entry["release"], command=command):
                        self.assertEqual("error" in got, "error" in reply, got)
                        if command["do"] == "dispatch.call" and "as" not in command and "ok" in reply:
                            self.assertEqual(outline(got["ok"]["result"]), outline(reply["ok"]["result"]))
                            compared += 1
        self.assertGreater(compared, 300)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
