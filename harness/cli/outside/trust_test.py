#!/usr/bin/env python3
"""Runs that can be trusted: subjects that die in every way, several at a time, killed runs that go on. Usage: trust_test.py <folder of the programs>."""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BIN = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else pathlib.Path("build/bin")
ASSAY = str(BIN / "assay")
CASES = ["--filter", "amp/update_scale/*"]

# Answers every command with `unsupported` (so that all is well), but at its `at`-th command of a case does as it is told.
SUBJECT = r'''
import json, os, signal, subprocess, sys, time
mode, at, counter = sys.argv[1], int(sys.argv[2]), sys.argv[3]
seen = 0

def runs():
    with open(counter, "a+") as file:
        file.write("x")
        file.seek(0)
        return len(file.read())

def misbehave():
    print("these are my last words", file=sys.stderr, flush=True)
    if mode == "segv": os.kill(os.getpid(), signal.SIGSEGV)
    if mode == "abort": os.abort()
    if mode == "exit3": os._exit(3)
    if mode == "exit0": os._exit(0)
    if mode == "hang": time.sleep(600)
    if mode == "hang_deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True: pass
    if mode == "drip":
        while True: print("x", flush=True); time.sleep(0.05)
    if mode == "flood":
        while True: print("noise " * 100)
    if mode == "flood_line":
        while True: sys.stdout.write("x" * 65536)
    if mode == "flood_errors":
        while True: sys.stderr.write("noise " * 100 + "\n")
    if mode == "memory":
        hoard = []
        while True: hoard.append(bytearray(1 << 20))
    if mode == "closes": os.close(1); time.sleep(600)
    if mode == "orphan":
        subprocess.Popen(["sleep", "600"])
        os._exit(4)
    if mode == "half": sys.stdout.write('{"id":'); sys.stdout.flush(); os._exit(0)

for line in sys.stdin:
    command = json.loads(line)
    reply = {"id": command["id"]}
    if command["do"] == "hello":
        if mode == "never": print("no luck today", file=sys.stderr); sys.exit(5)
        if mode == "once_too_often" and runs() > 3: sys.exit(6)
        wish = command["with"]
        reply["ok"] = {"protocol": 1, "name": "hostile", "version": "1", "devices": [{"device": "cuda:0"}], "areas": ["amp"],
                       "threads": False, "release": "2.11", "device_rules": "cuda", "deviations": "strict"}
    elif command["do"] == "reset":
        seen = 0
        if mode == "reset" and runs() == 2: os._exit(9)
        reply["ok"] = {"uncleaned": []}
    else:
        seen += 1
        if mode == "once_too_often": os._exit(7)
        if mode == "slow": time.sleep(0.05)
        if mode == "flaky" and runs() in (3, 6):
            reply["invalid"] = "not now"
        elif mode == "wrong":
            reply["ok"] = {"scale": {"f": "0x1p+0"}, "tracker": 0, "found_inf": {"f": "0x0p+0"}, "same": True}
        elif seen == at and runs() == 3: misbehave()
        if len(reply) == 1: reply["unsupported"] = "nothing here"
    print(json.dumps(reply), flush=True)
'''


def without_times(record):
    """What two runs of the same cases must have in common."""
    if isinstance(record, dict):
        left_out = ("seconds", "started", "argv", "line", "duration")
        return {name: without_times(value) for name, value in record.items() if name not in left_out}
    return [without_times(item) for item in record] if isinstance(record, list) else record


class Trust(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        pathlib.Path(self.path("hostile.py")).write_text(SUBJECT)

    def path(self, name):
        return str(pathlib.Path(self.folder.name) / name)

    def subject(self, mode, at=1):
        return f"{sys.executable} {self.path('hostile.py')} {mode} {at} {self.path('counter')}"

    def assay(self, *words):
        return subprocess.run([ASSAY, *words], capture_output=True, text=True, timeout=120, errors="replace")

    def record(self, name="r.json"):
        return json.loads(pathlib.Path(self.path(name)).read_text())

    def run_hostile(self, mode, *words, at=1):
        """Runs, and checks that verdict, exit code and last line agree."""
        pathlib.Path(self.path("counter")).unlink(missing_ok=True)
        done = self.assay("run", "--subject", self.subject(mode, at), *CASES, "--json", self.path("r.json"), *words)
        record = self.record()
        self.assertEqual(record["exit"], done.returncode, done.stdout + done.stderr)
        self.assertEqual(record["line"], done.stdout.strip().splitlines()[-1])
        return done, record["subjects"][0]

    def test_death_of_any_kind_costs_one_case(self):
        for mode, outcome, says in (
                ("segv", "crash", "SIGSEGV"), ("abort", "crash", "SIGABRT"), ("exit3", "crash", "status 3"),
                ("exit0", "crash", "status 0"), ("hang", "timeout", "may take"), ("hang_deaf", "timeout", "may take"),
                ("drip", "timeout", "may take"), ("flood", "crash", "holds no replies"), ("flood_errors", "timeout", "may take"),
                ("closes", "crash", "closed its standard output"), ("orphan", "crash", "status 4"), ("half", "crash", "middle of a line")):
            with self.subTest(mode):
                done, subject = self.run_hostile(mode, "--timeout", "1.5", "--exclude", "*_sweep*")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                bad = [case for case in subject["cases"] if case["outcome"] != "unsupported"]
                self.assertEqual([case["outcome"] for case in bad], [outcome])
                self.assertIn(says, bad[0]["failure"]["sentence"])
                if mode != "flood_errors":
                    self.assertIn("my last words", bad[0]["failure"]["last_words"])
                    self.assertIn("my last words", done.stdout)

    def test_want_of_memory_costs_one_case(self):
        command = f"sh -c \"ulimit -v 400000; exec {self.subject('memory')}\""
        done = self.assay("run", "--subject", command, *CASES, "--json", self.path("r.json"), "--timeout", "20")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        bad = [case for case in self.record()["subjects"][0]["cases"] if case["outcome"] != "unsupported"]
        self.assertEqual([case["outcome"] for case in bad], ["crash"])
        self.assertIn("MemoryError", bad[0]["failure"]["last_words"])

    def test_death_in_reset_is_the_fault_of_the_case_before(self):
        _, subject = self.run_hostile("reset", at=99)
        self.assertEqual([case["outcome"] for case in subject["cases"][:3]], ["unsupported", "crash", "unsupported"])

    def test_a_subject_that_never_answers_ends_the_run_with_3(self):
        done, subject = self.run_hostile("never")
        self.assertEqual(done.returncode, 3)
        self.assertIn("3 times in a row before its first reply: the subject ended with status 5", done.stdout)
        self.assertIn("no luck today", done.stdout)
        self.assertEqual(subject["cases"], [])

    def test_a_subject_that_does_not_come_back_ends_the_run_with_3_and_keeps_what_is_done(self):
        done, subject = self.run_hostile("once_too_often", "--release", "2.11", "--device-rules", "cuda", "--deviations", "strict")
        self.assertEqual(done.returncode, 3)
        self.assertEqual([case["outcome"] for case in subject["cases"]], ["crash"])
        self.assertIn("not run; the subject was given up", done.stdout)

    def test_a_case_that_passes_when_run_again_is_flaky_and_no_pass(self):
        done, subject = self.run_hostile("flaky", "--rerun", "2", "--require", "core")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(subject["outcomes"].get("flaky"), 2)
        flaky = [case for case in subject["cases"] if case["outcome"] == "flaky"][0]
        self.assertIn("1 of 2 runs passed; run 1: fail: ", flaky["failure"]["sentence"])
        self.assertEqual(self.run_hostile("flaky")[1]["outcomes"].get("fail"), 2)
        done, subject = self.run_hostile("flaky", "--repeat", "3")
        self.assertEqual((done.returncode, subject["outcomes"].get("flaky")), (1, 2))

    def test_fail_fast_begins_nothing_after_a_failure(self):
        done, subject = self.run_hostile("wrong", "--fail-fast")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.strip().splitlines()[-1].startswith("FAIL "))
        self.assertIn(" not run; ", done.stdout)
        self.assertLess(len(subject["cases"]), subject["planned"])
        self.assertEqual([case["outcome"] for case in subject["cases"]].count("fail"), 1)

    def test_results_are_the_same_with_any_number_of_children(self):
        words = ["--filter", "amp/*", "--json"]
        runs = {}
        for name, more in (("one", []), ("child", ["--isolate"]), ("three", ["-j", "3", "--shuffle", "--seed", "5"])):
            done = self.assay("run", *words, self.path(name), *more)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            runs[name] = without_times(self.record(name)["subjects"])
        self.assertEqual(runs["one"], runs["child"])
        self.assertEqual(runs["one"], runs["three"])
        refused = self.assay("run", *CASES, "-j", "2", "--no-isolate")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--no-isolate", refused.stderr)

    def test_shards_are_disjoint_balanced_and_together_the_run(self):
        self.assay("run", "--filter", "amp/*", "--json", self.path("whole"))
        whole = [case["id"] for case in self.record("whole")["subjects"][0]["cases"]]
        parts = []
        for index in (1, 2, 3):
            done = self.assay("run", "--filter", "amp/*", "--shard", f"{index}/3", "--json", self.path("part"))
            self.assertEqual(done.returncode, 0, done.stdout)
            parts.append([case["id"] for case in self.record("part")["subjects"][0]["cases"]])
        self.assertEqual(sorted(sum(parts, [])), sorted(whole))
        self.assertLessEqual(max(map(len, parts)) - min(map(len, parts)), 1)
        for wrong in ("0/3", "4/3", "1", "a/b", "1/0", "1/2x"):
            self.assertEqual(self.assay("run", "--shard", wrong).returncode, 2, wrong)

    def slow_run(self, *more):
        return [ASSAY, "run", "--subject", self.subject("slow", 99), *CASES, *more]

    def test_a_killed_run_goes_on_where_it_was(self):
        subprocess.run(self.slow_run("--json", self.path("whole")), capture_output=True, check=False)
        whole = without_times(self.record("whole")["subjects"])
        rng = random.Random(3)
        for jobs in ("1", "3"):
            journal = self.path("journal" + jobs)
            command = self.slow_run("--json", self.path("again"), "-j", jobs)
            for attempt in range(3):
                how = ["--resume", journal] if attempt else ["--journal", journal]
                running = subprocess.Popen(command + how, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(rng.uniform(0.05, 0.5))
                running.kill()
                running.wait()
            done = subprocess.run(command + ["--resume", journal], capture_output=True, text=True)
            self.assertEqual(done.returncode, self.record("whole")["exit"], done.stdout + done.stderr)
            self.assertEqual(without_times(self.record("again")["subjects"]), whole)

    def test_a_journal_cut_anywhere_is_gone_on_with(self):
        journal = self.path("journal")
        command = ["run", "--subject", self.subject("wrong"), *CASES, "--json", self.path("again")]
        self.assay(*command, "--journal", journal)
        whole, kept = without_times(self.record("again")["subjects"]), pathlib.Path(journal).read_bytes()
        rng = random.Random(4)
        for cut in [0, 1, kept.index(b"\n"), kept.index(b"\n") + 1, len(kept) - 1] + [rng.randrange(len(kept)) for _ in range(4)]:
            pathlib.Path(journal).write_bytes(kept[:cut])
            done = self.assay(*command, "--resume", journal)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertEqual(without_times(self.record("again")["subjects"]), whole, cut)
            self.assertEqual(sorted(pathlib.Path(journal).read_bytes().count(b'"case":"%s"' % case["id"].encode())
                                    for case in whole[0]["cases"])[-1], 1)

    def test_the_journal_of_another_run_is_refused(self):
        journal = self.path("journal")
        self.assay("run", *CASES, "--journal", journal)
        for more, says in ((["--filter", "AMP-105"], "--filter"), (["--subject", f"{ASSAY} serve reference"], "subject"),
                           (["--release", "2.4"], "contract"), (["--shard", "1/2"], "--shard")):
            done = self.assay("run", *CASES, *more, "--resume", journal)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(f"of another run: its {says} was '", done.stderr)
        lines = pathlib.Path(journal).read_text().splitlines(keepends=True)
        for wrong, says in (("{}\n", ":2: this is no line of a journal"), (lines[1] + lines[1], "or is here twice"),
                            (lines[1].replace('"pass"', '"odd"'), "'odd' is no outcome")):
            pathlib.Path(journal).write_text(lines[0] + wrong)
            done = self.assay("run", *CASES, "--resume", journal)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(says, done.stderr)

    def test_two_runs_do_not_write_one_journal(self):
        journal = self.path("journal")
        first = subprocess.Popen(self.slow_run("--journal", journal), stdout=subprocess.DEVNULL)
        while not os.path.exists(journal):
            time.sleep(0.01)
        time.sleep(0.1)
        second = self.assay("run", *CASES, "--journal", journal)
        first.kill()
        first.wait()
        self.assertEqual(second.returncode, 2)
        self.assertIn("another run is writing", second.stderr)

    def test_a_journal_that_cannot_be_written_is_2(self):
        done = self.assay("run", *CASES, "--journal", "/dev/full")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write to the journal /dev/full", done.stderr)

    def test_an_unnamed_journal_is_gone_after_the_run(self):
        self.assay("run", *CASES, "--json", self.path("r.json"))
        self.assertFalse(os.path.exists(self.path("r.json.journal")))

    def test_an_interrupted_run_of_several_children_reports_what_is_done(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            running = subprocess.Popen(self.slow_run("--json", self.path("r.json"), "-j", "3"), stdout=subprocess.PIPE, text=True)
            while not os.path.exists(self.path("r.json.journal")) or os.path.getsize(self.path("r.json.journal")) < 1000:
                time.sleep(0.01)
            running.send_signal(number)
            out, _ = running.communicate(timeout=60)
            self.assertEqual(running.returncode, 130, out)
            record = self.record()
            self.assertEqual((record["exit"], record["line"]), (130, out.strip().splitlines()[-1]))
            self.assertIn("--resume " + self.path("r.json.journal"), out)
            os.unlink(self.path("r.json.journal"))


if __name__ == "__main__":
    os.environ.pop("NO_COLOR", None)
    unittest.main()
