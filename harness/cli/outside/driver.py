"""Helpers for tests of the program: runs it and checks that its outputs agree."""

import collections
import ctypes
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BIN = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else ROOT / "build" / "bin"
ASSAY = str(BIN / "assay")
AMP = ["--filter", "amp/update_scale/*"]
# The reply to hello of all toy subjects.
ONE_CONTRACT = ["--release", "2.15", "--device-rules", "cuda", "--deviations", "strict"]
# A time limit in seconds that nothing reaches, even on a busy machine, except a toy that hangs.
PATIENCE = 300


def last_line(done):
    return done.stdout.strip().splitlines()[-1]


def run(*words, **more):
    """Without a subject, runs the reference alone; the default subjects have their own tests."""
    if words[:1] == ("run",) and "--subject" not in words:
        words = ("run", "--subject", "reference", *words[1:])
    return run_as_typed(*words, **more)


def run_as_typed(*words, **more):
    return subprocess.run([ASSAY, *words], capture_output=True, text=True, errors="replace", **({"timeout": 4 * PATIENCE} | more))


def adopt_orphans():
    """Orphaned processes become children of this process, and are detected."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def children_left():
    """The children of this process that do not end."""
    end = time.monotonic() + PATIENCE / 5
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.01)
        except ChildProcessError:
            return []
    return [file.read_text() for file in pathlib.Path("/proc/self/task").glob("*/children") if file.read_text()]


def caught_by(pid):
    """The signals that the process handles, as bits."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"^SigCgt:\s*(\w+)", status, re.M)[1], 16)


def recounted(record):
    """The record with the numbers of outcomes of its cases, which a test has changed."""
    for subject in record["subjects"]:
        subject["outcomes"] = dict(collections.Counter(case["outcome"] for case in subject["cases"]))
    return record


def without_times(record):
    """The parts that two runs of the same cases must have in common."""
    if isinstance(record, dict):
        # How far a program is shortened depends on the time as well.
        left_out = ("seconds", "started", "argv", "line", "duration", "shortest")
        return {name: without_times(value) for name, value in record.items() if name not in left_out}
    return [without_times(item) for item in record] if isinstance(record, list) else record


class ProgramTest(unittest.TestCase):
    """A test with its own folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.path(name)

    def toy(self, mode, more=""):
        return f"{sys.executable} {HERE / 'toy_subject.py'} {mode} {more}".strip()

    def mistaken(self, *mistakes):
        """The words for a subject that makes these mistakes."""
        quoted = " ".join(f"'{mistake}'" for mistake in mistakes)
        return ["--subject", f"{sys.executable} {HERE / 'subjects/mistaken_subject.py'} {quoted}"]

    def counting(self, mode):
        """A toy with a counter that all its processes share, starting at zero."""
        self.counts = getattr(self, "counts", 0) + 1
        return self.toy(mode, self.path(f"count{self.counts}"))

    def waivers(self, cases=AMP[1], **other):
        """A file that waives whatever goes wrong in each of these cases."""
        entry = {"reason": "known", "link": "https://example.org/1", "owner": "me", "expires": "2999-12-31", "signature": "*"} | other
        listed = run("list", "--filter", cases, "--json")
        ids = [case["id"] for case in json.loads(listed.stdout)] if listed.returncode == 0 else [cases]
        text = "".join("[[waiver]]\n" + "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in {"cases": id, **entry}.items()) for id in ids)
        return ["--waivers", self.write("w.toml", text)]

    def record(self, name="r.json"):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def run_and_agree(self, *words, **more):
        """Runs with both output files, and checks that everything agrees."""
        done = run("run", *words, "--json", self.path("r.json"), "--junit", self.path("r.xml"), **more)
        return done, *self.agreement(done)

    def agreement(self, done):
        """The exit code, JSON, last line and JUnit of a run."""
        record, suites = self.record(), xml.parse(self.path("r.xml")).getroot()
        self.assertEqual(record["exit"], done.returncode, done.stdout + done.stderr)
        self.assertEqual(record["line"], last_line(done))
        self.assertTrue(record["line"].startswith(record["verdict"]), record["line"])
        cases = [case for subject in record["subjects"] for case in subject["cases"]]
        # If no case explains a negative verdict, JUnit has an additional one that does.
        verdicts = [one for one in suites.iter("testcase") if one.get("name").startswith("verdict ")]
        self.assertEqual(int(suites.get("tests")), len(cases) + len(verdicts))
        bad = int(suites.get("failures")) + int(suites.get("errors"))
        self.assertEqual(bad > 0, done.returncode != 0)
        return record, suites

    def wait_for(self, condition, complaint):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                self.fail(complaint)
            time.sleep(0.01)

    def wait_for_cases(self, count):
        """Waits until the journal has this many lines after its head."""
        journal = self.folder / "r.json.journal"
        self.wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > count, "the run does not get on")

    def wait_until_it_catches(self, running, number=signal.SIGINT):
        self.wait_for(lambda: caught_by(running.pid) >> (number - 1) & 1, "it does not catch the signal")

    def refused(self, *words, says, **more):
        done = run(*words, **more)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        for part in says:
            self.assertIn(part, done.stderr)


def main():
    os.environ.pop("NO_COLOR", None)
    # Shells ignore SIGINT in background jobs, and nohup ignores SIGHUP; programs started here would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for name in ("GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION", "COLUMNS"):
        os.environ.pop(name, None)
    os.environ["ASSAY_HEARTBEAT"] = "0"  # the output must not depend on the duration of the run
    unittest.main()
