#!/usr/bin/env python3
"""Tests shards that a scheduler names, and runs that it starts again. Usage: requeue_test.py <folder of the programs>."""

import json
import os
import pathlib
import signal
import subprocess

import shards
from shards import driver

ARRAY = {"SLURM_ARRAY_TASK_ID": "11", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_MAX": "12", "SLURM_ARRAY_TASK_COUNT": "3"}


class Requeue(shards.ShardTest):
    def auto(self, *words, environment):
        done = driver.run("run", *driver.AMP, *driver.ONE_CONTRACT, "--json", self.path("r.json"), *words, env=shards.surroundings(**environment))
        return done, self.record() if os.path.exists(self.path("r.json")) else None

    def test_the_shard_is_that_of_the_scheduler(self):
        for word, environment, shard, variable in (("auto", ARRAY, "2/3", "SLURM_ARRAY_TASK_ID"),
                                                   ("auto", {"SLURM_PROCID": "0", "SLURM_NTASKS": "2"}, "1/2", "SLURM_PROCID"),
                                                   ("auto/4", {"JOB_COMPLETION_INDEX": "3"}, "4/4", "JOB_COMPLETION_INDEX"),
                                                   ("auto", {"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2"}, "2/2", "CI_NODE_INDEX"),
                                                   ("auto", {"CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "2"}, "2/2", "CIRCLE_NODE_INDEX"),
                                                   ("auto", {"BUILDKITE_PARALLEL_JOB": "1", "BUILDKITE_PARALLEL_JOB_COUNT": "2"}, "2/2", "BUILDKITE_PARALLEL_JOB")):
            with self.subTest(variable):
                done, record = self.auto("--shard", word, environment=environment)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual((record["shard"], record["shard_from"]), (shard, variable))
                self.assertEqual(done.stdout.splitlines()[0], f"shard {shard}, as {variable} says")
                named = self.shard(shard, "--subject", "reference", *driver.AMP, *driver.ONE_CONTRACT)
                ids = [[case["id"] for case in one["subjects"][0]["cases"]] for one in (record, json.loads(pathlib.Path(named).read_text(encoding="utf-8")))]
                self.assertEqual(*ids)

    def test_the_only_shard_is_the_whole_run(self):
        done, record = self.auto("--shard", "auto", environment={"CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "1"})
        self.assertEqual(done.stdout.splitlines()[0], "shard 1/1, as CIRCLE_NODE_INDEX says")
        self.assertNotIn("shard", record)
        self.assertEqual(self.merge(self.path("r.json"))[0].returncode, 0)

    def test_without_a_shard_in_the_environment_nothing_runs(self):
        for word, environment, says in (("auto", {}, "none of SLURM_ARRAY_TASK_ID"), ("auto", {"JOB_COMPLETION_INDEX": "1"}, "write --shard auto/N"),
                                        ("auto", ARRAY | {"SLURM_ARRAY_TASK_COUNT": "2"}, "has gaps"), ("auto/4", ARRAY, "which is not one of 4"),
                                        ("auto", ARRAY | {"SLURM_PROCID": "0", "SLURM_NTASKS": "2"}, "SLURM_PROCID says 1/2")):
            with self.subTest(says):
                done, record = self.auto("--shard", word, environment=environment)
                self.assertEqual((done.returncode, done.stdout, record), (2, "", None))
                self.assertIn(says, done.stderr)
        for wrong in ("auto/", "auto/0", "auto/x", "autos"):
            self.refused("run", "--shard", wrong, says=["expected i/n", wrong])

    def again(self, *more):
        """A run that hangs at its fourth command of all times, and is requeued."""
        return [driver.ASSAY, "run", "--subject", self.toy("hangs_once", self.path("count")), *driver.AMP, *driver.ONE_CONTRACT,
                "--json", self.path("r.json"), "--resume", "auto", *more]

    def kill(self, *more, number=signal.SIGKILL):
        running = subprocess.Popen(self.again(*more), stdout=subprocess.PIPE, text=True)
        self.wait_for_cases(2)
        self.wait_until_it_catches(running)
        running.send_signal(number)
        out, _ = running.communicate(timeout=driver.PATIENCE)
        return running.returncode, out

    def test_a_run_that_is_started_again_goes_on(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(number):
                pathlib.Path(self.path("count")).unlink(missing_ok=True)
                _, out = self.kill(number=number)
                self.assertNotIn("continues", out)
                kept = (self.folder / "r.json.journal").read_bytes()
                done = subprocess.run(self.again(), capture_output=True, text=True)
                self.assertIn(f"continues the run of {self.path('r.json.journal')}\n", done.stdout)
                # The subject answers each command in one case: those before the hang are not run again.
                cases = self.record()["subjects"][0]["planned"]
                self.assertEqual(len(self.record()["subjects"][0]["cases"]), cases)
                self.assertLessEqual(os.path.getsize(self.path("count")), cases + 1)
                self.assertGreater(kept.count(b"\n"), 2)
                self.assertFalse(os.path.exists(self.path("r.json.journal")))

    def test_a_run_that_has_ended_is_run_again(self):
        words = ["run", *driver.AMP, *driver.ONE_CONTRACT, "--resume", "auto"]
        for more in (["--json", self.path("r.json")], ["--journal", self.path("mine.journal")]):
            for _ in range(2):
                done = driver.run(*words, *more)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertNotIn("continues", done.stdout)
        self.assertEqual(sorted(os.listdir(self.folder)), ["mine.journal", "r.json"])

    def test_the_journal_of_another_run_is_kept_and_the_run_begins_anew(self):
        self.kill()
        kept = (self.folder / "r.json.journal").read_bytes()
        for number in (1, 2):
            done = driver.run("run", *driver.AMP, *driver.ONE_CONTRACT, "--json", self.path("r.json"), "--resume", "auto")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn(f"r.json.journal was the journal of another run and is kept as {self.path('r.json.journal')}.{number}", done.stdout)
            self.assertEqual((self.folder / f"r.json.journal.{number}").read_bytes(), kept)
            self.assertFalse(os.path.exists(self.path("r.json.journal")))
            (self.folder / "r.json.journal").write_bytes(kept)

    def test_a_run_that_cannot_start_leaves_the_journal(self):
        self.kill()
        kept = (self.folder / "r.json.journal").read_bytes()
        done = driver.run("run", "--subject", "python3 /no/such.py", *driver.AMP, "--json", self.path("r.json"), "--resume", "auto")
        self.assertEqual(done.returncode, 2)
        self.assertEqual((self.folder / "r.json.journal").read_bytes(), kept)

    def test_it_needs_a_journal_that_it_finds_again(self):
        self.refused("run", *driver.AMP, "--resume", "auto", says=["--resume auto needs --journal or --json"])
        self.refused("run", *driver.AMP, "--resume", "x", "--journal", "y", says=["--resume excludes --journal"])
        precious = self.write("precious", "precious\n")
        self.refused("run", *driver.AMP, "--resume", "auto", "--journal", precious, says=["precious:1: this is not a line of a journal"])
        self.assertEqual(pathlib.Path(precious).read_text(encoding="utf-8"), "precious\n")

    def test_an_array_that_is_requeued_and_merged_is_the_whole_run(self):
        words = ["--subject", "reference", *driver.AMP]
        _, whole = self.whole(*words)
        for task in range(3):
            for _ in range(2):
                path = self.path(f"shard{task}.json")
                environment = {"SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "2", "SLURM_ARRAY_TASK_COUNT": "3"}
                done = driver.run("run", *words, "--shard", "auto", "--resume", "auto", "--json", path, env=shards.surroundings(**environment))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        _, merged = self.merge(*(self.path(f"shard{task}.json") for task in range(3)))
        self.assertEqual(shards.judged(merged), shards.judged(whole))


if __name__ == "__main__":
    driver.main()
