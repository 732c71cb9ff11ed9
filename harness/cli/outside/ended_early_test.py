#!/usr/bin/env python3
"""Tests that long commands other than `run` keep their results when they are interrupted. Usage: ended_early_test.py <folder of the programs>."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

import driver

TWICE = [signal.SIGTERM, signal.SIGTERM]  # as `timeout` sends it to a group
# A program that hangs when it is started for the sixth time, until a file exists.
HANGS_AT = 6
WAITS = f"""import os, sys, time
begun, go, program = sys.argv[1:]
with open(begun, "a") as file: file.write("x")
while os.path.getsize(begun) == {HANGS_AT} and not os.path.exists(go): time.sleep(0.01)
os.execv(program, [program])
"""


def shape_of(bench):
    """A bench record without its times."""
    rows = [[row["case"], row["axes"], row["subject"], row["status"], row["checked"],
             [(one["index"], one["order"], len(one["samples"])) for one in row["processes"]]] for row in bench["measurements"]]
    return rows, bench["subjects"], [len(figure["medians"]) for figure in bench["calibration"].values()], bench["meta"]["exit"]


class EndedEarly(driver.ProgramTest):
    def setUp(self):
        super().setUp()
        driver.adopt_orphans()

    def wait_for(self, condition, running):
        for _ in range(30000):
            if condition():
                return
            if running.poll() is not None:
                self.fail(f"it ended by itself: {running.communicate()}")
            time.sleep(0.01)
        self.fail("it does not get on")

    def begin(self, *words):
        return subprocess.Popen([driver.ASSAY, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def ended(self, running, signals, exits=(130,)):
        """Its output, and the incomplete files that it left."""
        for number in signals:
            running.send_signal(number)
        out, _ = running.communicate(timeout=driver.PATIENCE)
        self.assertIn(running.returncode, (*exits, *(-number for number in signals)), out)
        self.assertEqual(driver.children_left(), [])
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".tmp")], [])
        return out

    def test_a_bench_keeps_the_rounds_that_it_finished(self):
        for signals in ([signal.SIGINT], TWICE, [signal.SIGHUP, signal.SIGINT]):
            with self.subTest(signals=signals):
                running = self.begin("bench", "--quick", "--processes", "1000", "--subject", "pointer", "--filter", "loop/empty", "-o", self.path("r.json"))
                workers = set()

                def has_begun_three_rounds():
                    for file in pathlib.Path(f"/proc/{running.pid}/task").glob("*/children"):
                        with contextlib.suppress(OSError):  # the thread has ended meanwhile
                            workers.update(file.read_text().split())
                    return len(workers) > 3

                self.wait_for(has_begun_three_rounds, running)
                self.ended(running, signals)
                record = self.record()
                self.assertEqual((record["meta"]["interrupted"], record["meta"]["complete"], record["meta"]["exit"]), (True, False, 130))
                self.assertTrue(record["measurements"][0]["processes"])
                self.assertEqual(driver.run("report", self.path("r.json"), "-o", self.path("r.html")).returncode, 0)
                os.unlink(self.path("r.json"))

    @unittest.skipUnless((driver.BIN / "assay-mutant").exists(), "there is no assay-mutant")
    def test_a_self_test_keeps_the_faults_that_it_tried(self):
        running = self.begin("selftest", "amp_*", "update_scale_*", "unscale_*", "--all", "-v", "-j", "1", "--json", self.path("k.json"))
        running.stdout.readline()
        self.ended(running, TWICE)
        self.assertTrue(self.record("k.json")["faults"])

    def test_litmus_programs_that_were_run_are_kept(self):
        for subject in ("reference", f"{driver.BIN / 'assay-reference'}"):
            for signals in ([signal.SIGINT], TWICE):
                with self.subTest(subject=subject, signals=signals):
                    running = self.begin("litmus", "-n", "20000", "--subject", subject, "--json", self.path("l.json"))
                    running.stdout.readline()
                    self.ended(running, signals)
                    record = self.record("l.json")
                    self.assertEqual(record["exit"], 130)
                    self.assertTrue(record["line"].startswith("INTERRUPTED"), record["line"])
                    self.assertTrue(record["programs"])

    def test_what_a_killed_bench_has_measured_is_beside_its_record(self):
        record, partial = self.folder / "r.json", self.folder / "r.json.partial"
        words = ["bench", "--quick", "--subject", "pointer", "--filter", "loop/empty", "-o", str(record)]
        running = self.begin(*words, "--processes", "1000")
        self.wait_for(lambda: partial.exists() and len(self.record("r.json.partial")["measurements"][0]["processes"]) > 1, running)
        running.kill()
        running.communicate()
        self.assertEqual(driver.children_left(), [])
        kept = self.record("r.json.partial")
        self.assertEqual((kept["meta"]["complete"], kept["meta"]["interrupted"], kept["measurements"][0]["status"]), (False, True, "measured"))
        self.assertEqual(kept["subjects"][0]["name"], "pointer")
        self.assertFalse(record.exists())
        same = driver.run("compare", str(partial), str(partial))
        self.assertIn("loop/empty", same.stdout + same.stderr)
        before = partial.read_bytes()
        self.refused(*words, says=["r.json.partial", "--resume", "remove"])
        self.assertEqual(partial.read_bytes(), before)
        partial.unlink()
        done = driver.run(*words)
        self.assertEqual((done.returncode, self.record("r.json")["meta"]["complete"], partial.exists()), (0, True, False), done.stderr)

    def test_a_bench_goes_on_where_it_ended(self):
        waits = self.write("waits.py", WAITS)
        for number in (signal.SIGKILL, signal.SIGINT):
            with self.subTest(number=number):
                record, partial, begun, go = (self.path(f"{number}{name}") for name in (".json", ".json.partial", "begun", "go"))
                words = ["bench", "--quick", "--processes", "7", "--filter", "dispatch/typed", "--subject", "pointer", "--subject",
                         f"{sys.executable} {waits} {begun} {go} {driver.BIN / 'assay-reference'}"]
                running = self.begin(*words, "-o", record)
                self.wait_for(lambda: os.path.exists(partial) and os.path.getsize(begun) == HANGS_AT, running)
                running.send_signal(number)
                running.communicate()
                self.assertEqual(driver.children_left(), [])
                left = self.record(partial if number == signal.SIGKILL else record)
                self.write(go, "")
                for other in (["--seed", "2"], ["--samples", "4"], ["--aa"], ["--machine", "another"], ["--exclude", "*=2"], ["--count"]):
                    self.refused(*words, "--resume", record, *other, says=["--resume"])
                done = driver.run(*words, "--resume", record)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                whole, rounds = self.record(record), left["done"]["rounds"]
                self.assertFalse(os.path.exists(partial))
                self.assertGreater(rounds, 0)
                for before, after in zip(left["measurements"], whole["measurements"]):
                    self.assertEqual(before["processes"][:rounds], after["processes"][:rounds])
                self.assertEqual((whole["meta"]["argv"], whole["meta"]["started"], whole["done"]), (left["meta"]["argv"], left["meta"]["started"], None))
                self.assertEqual(driver.run(*words, "-o", self.path("undisturbed.json")).returncode, 0)
                self.assertEqual(shape_of(whole), shape_of(self.record("undisturbed.json")))
                self.refused(*words, "--resume", record, says=["--resume: the bench is complete"])
        self.refused(*words, "--resume", self.path("nowhere"), says=["--resume: neither", "nowhere"])

    def test_random_litmus_programs_can_be_interrupted(self):
        running = self.begin("litmus", "--random", "1000000000")
        self.wait_for(lambda: driver.caught_by(running.pid) >> (signal.SIGINT - 1) & 1, running)
        self.assertIn("INTERRUPTED", self.ended(running, [signal.SIGINT]))

    def test_findings_of_fuzz_are_kept_as_they_are_made(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            folder = self.folder / number.name
            running = self.begin("fuzz", "--subject", self.toy("wrong"), "--areas", "amp", "--findings", "1000", "--time", "600", "-o", str(folder))
            self.wait_for(lambda: folder.is_dir() and list(folder.glob("*.jsonl")), running)
            self.ended(running, [number], exits=(1,))  # what was found is a failure, however it ended
            done = driver.run("run", "--subject", self.toy("wrong"), "--cases", str(folder), "--filter", "*/fuzz/*")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_what_cannot_be_written_is_refused_before_the_hours(self):
        nowhere = str(self.folder)
        for words in (["bench", "--quick", "--filter", "loop/empty", "-o"], ["litmus", "--json"], ["selftest", "--json"], ["record", "--subject", self.toy("hangs"), "-o"]):
            self.refused(*words, nowhere, says=[f"cannot write {nowhere}"])

    def test_a_record_that_was_there_stays_until_there_is_a_new_one(self):
        kept = json.dumps({"precious": True})
        for words in (["bench", "--quick", "--processes", "1000", "--subject", "pointer", "--filter", "loop/empty", "-o"],
                      ["record", "--subject", self.toy("hangs"), "-o"], ["litmus", "-n", "100000000", "LT-04", "--json"]):
            path = self.write("r.json", kept)
            running = self.begin(*words, path)
            time.sleep(1)
            running.kill()
            running.communicate()
            self.assertEqual(pathlib.Path(path).read_text(encoding="utf-8"), kept, words)
            self.assertEqual(driver.children_left(), [], words)


if __name__ == "__main__":
    driver.main()
