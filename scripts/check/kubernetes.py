#!/usr/bin/env python3
"""Checks the jobs in scripts/kubernetes: against Kubernetes' schemas, by kubernetes-validate from PyPI, and by running what their containers run.

Usage: kubernetes.py <folder of the programs>. No cluster is needed.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOBS = ROOT / "scripts/kubernetes"
sys.path.insert(0, str(ROOT / "harness/cli/outside/shards"))

import shards  # noqa: E402
from shards import driver  # noqa: E402


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def validate(at):
    venv.create(at / "venv", with_pip=True)
    python = at / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "-q", "kubernetes-validate"], check=True)
    for file in sorted(JOBS.glob("*.yaml")):
        subprocess.run([at / "venv/bin/kubernetes-validate", "--strict", file], check=True)
    read = "import json, sys, yaml; print(json.dumps([yaml.safe_load(open(name)) for name in sys.argv[1:]]))"
    return json.loads(subprocess.run([python, "-c", read, JOBS / "shards.yaml", JOBS / "merge.yaml"], check=True, capture_output=True, text=True).stdout)


class Pods:
    """Runs containers here: with a folder for the volume, and the reference for the subject."""

    def __init__(self, at):
        self.records = at / "records"
        self.records.mkdir()

    def run(self, job, subject="reference", **variables):
        container, = job["spec"]["template"]["spec"]["containers"]
        script, = container["args"]
        script = script.replace("/records/", f"{self.records}/").replace("--subject ./my_runtime.so", f"--subject {subject} --filter 'amp/update_scale/*'")
        environment = shards.surroundings(PATH=f"{driver.BIN.resolve()}:{os.environ['PATH']}", **variables)
        return subprocess.run([*container["command"], script], env=environment, capture_output=True, text=True, cwd=self.records)

    def merged(self, job):
        done = self.run(job)
        return done.returncode, json.loads((self.records / "run.json").read_text(encoding="utf-8"))


def main():
    with tempfile.TemporaryDirectory(prefix="assay-kubernetes.") as place:
        at = pathlib.Path(place)
        job, merge = validate(at)
        pods, count = Pods(at), job["spec"]["completions"]
        for index in range(count - 1):
            done = pods.run(job, JOB_COMPLETION_INDEX=str(index))
            expect(done.returncode == 0, done.stdout + done.stderr)
        status, record = pods.merged(merge)
        expect(status == 4 and f"without shard {count}/{count}" in record["line"], record["line"])
        pods.run(job, JOB_COMPLETION_INDEX=str(count - 1))
        status, record = pods.merged(merge)
        driver.run("run", "--filter", "amp/update_scale/*", "--json", str(at / "whole.json"))
        whole = json.loads((at / "whole.json").read_text(encoding="utf-8"))
        expect(status == 0 and shards.judged(record) == shards.judged(whole), record["line"])
        done = pods.run(job, subject="./nothing", JOB_COMPLETION_INDEX="0")
        status, record = pods.merged(merge)
        expect(done.returncode == 2 and status == 4 and f"without shard 1/{count}" in record["line"], "the record of an earlier job was merged: " + record["line"])
        print("the jobs are valid, and their merged record is that of the undivided run")


if __name__ == "__main__":
    main()
