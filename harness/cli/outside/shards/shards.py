"""Helpers for tests of shards: runs them, merges their records, compares records."""

import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import driver  # noqa: E402

VARIABLES = ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_STEP",
             "SLURM_PROCID", "SLURM_NTASKS", "JOB_COMPLETION_INDEX", "CI_NODE_INDEX", "CI_NODE_TOTAL", "CIRCLE_NODE_INDEX",
             "CIRCLE_NODE_TOTAL", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT")


def surroundings(**variables):
    """The environment without what a scheduler says, and with these variables."""
    return {name: value for name, value in os.environ.items() if name not in VARIABLES} | variables


def judged(record):
    """All that a verdict is about: without times, and without who ran it where."""
    kept = driver.without_times(record)
    for name in ("shards", "environment"):
        kept.pop(name, None)
    kept["lines"] = [re.sub(r"; \d+\.\d s$", "", line) for line in [record["line"], *(subject["line"] for subject in record["subjects"])]]
    return kept


class ShardTest(driver.ProgramTest):
    def shard(self, place, *words, name=None):
        """The file of a shard's record."""
        path = self.path(name or place.replace("/", "_of_") + ".json")
        done = driver.run_as_typed("run", *words, "--shard", place, "--json", path, "-q")
        self.assertTrue(os.path.exists(path), done.stdout + done.stderr)
        return path

    def shards(self, count, *words):
        return [self.shard(f"{index}/{count}", *words) for index in range(1, count + 1)]

    def whole(self, *words):
        """The undivided run, and its record."""
        done = driver.run_as_typed("run", *words, "--json", self.path("whole.json"), "--junit", self.path("whole.xml"))
        return done, self.record("whole.json")

    def merge(self, *words):
        """The command, and the record if it wrote one."""
        pathlib.Path(self.path("merged.json")).unlink(missing_ok=True)
        done = driver.run_as_typed("merge", *words, "-o", self.path("merged.json"))
        wrote = os.path.exists(self.path("merged.json"))
        record = self.record("merged.json") if wrote else None
        if wrote:
            self.assertEqual((record["exit"], record["line"]), (done.returncode, driver.last_line(done)), done.stdout)
        return done, record

    def changed(self, path, change, name="changed.json"):
        record = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        change(record)
        return self.write(name, json.dumps(record))

    def merge_refused(self, *words, says):
        self.refused("merge", *words, "-o", self.path("none.json"), says=says)
        self.assertFalse(os.path.exists(self.path("none.json")))
