"""A session with the adapter, in a Python that has PyTorch."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent
ADAPTER = TESTS.parent
PLACES = (os.environ.get("ASSAY_PYTHON"), "python3", "/usr/bin/python3")


def python_with_torch():
    """The first interpreter that can import PyTorch, or None."""
    for python in filter(None, PLACES):
        try:
            if subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0:
                return python
        except OSError:
            continue
    return None


def python_or_skip():
    """The same; without one, the test is skipped."""
    found = python_with_torch()
    if found is None:
        print("skipped: neither ASSAY_PYTHON nor python3 nor /usr/bin/python3 can import torch")
        sys.exit(77)
    return found


class Talk:
    """A session with the adapter."""

    def __init__(self, python, *options):
        path = {**os.environ, "PYTHONPATH": str(TESTS)}  # where the pretended backend is
        self.process = subprocess.Popen([python, "-B", ADAPTER, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=path)
        self.last = 0

    def reply(self, do, name=None, members=None, **given):
        self.last += 1
        command = {"id": self.last, "do": do, **(members or {})}
        command.update({"with": given} if given else {}, **({"as": name} if name else {}))
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ok(self, do, name=None, members=None, **given):
        answer = self.reply(do, name, members, **given)
        if "unsupported" in answer:
            raise unittest.SkipTest(answer["unsupported"])
        assert "ok" in answer, answer
        return answer["ok"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def matrix(dtype="float32", bits="3f800000"):
    return {"tensor": {"dtype": dtype, "shape": [2, 2], "bits": " ".join([bits] * 4)}}


def ref(name):
    return {"ref": name}


def dicts(entries):
    return [dict(entry["dict"]) for entry in entries]
