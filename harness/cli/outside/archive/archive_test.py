#!/usr/bin/env python3
"""Tests of `assay archive`: what it keeps, with several writers, and after a kill. Usage: archive_test.py <folder of the programs>."""

import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402
import imaginary_history  # noqa: E402

BASELINES = sorted((driver.ROOT / "results" / "baselines").rglob("*.json"))
GPUS = [path for path in BASELINES if path.name.startswith("one-")]


def without_spaces(text):
    """Between the words of JSON."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|\s+', lambda match: match[1] or "", text)


def dispatch_only(row):
    return row["case"].startswith("dispatch/")


class Archive(driver.ProgramTest):
    def archive(self, command, *words, name="a.db", exit_code=0):
        done = driver.run("archive", command, self.path(name), *map(str, words))
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        return done

    def listed(self, *words, name="a.db"):
        return json.loads(self.archive("list", "--json", *words, name=name).stdout)

    def ask(self, sql, *values, name="a.db"):
        connection = sqlite3.connect(self.path(name))
        self.addCleanup(connection.close)
        return connection.execute(sql, values).fetchall()

    def imaginary(self, count, seed=1):
        history = imaginary_history.History(seed, keep=dispatch_only)
        return [self.write(f"{seed}_{index}.json", json.dumps(history.run())) for index in range(count)]

    def test_a_record_is_added_once_however_it_is_written(self):
        text = BASELINES[0].read_text(encoding="utf-8")
        self.assertIn("1 added, 0 already there", self.archive("add", BASELINES[0]).stdout)
        packed = self.path("r.json.gz")
        pathlib.Path(packed).write_bytes(gzip.compress(text.encode()))
        compact = self.write("compact.json", without_spaces(text))
        for again in (BASELINES[0], packed, compact):
            self.assertIn("0 added, 1 already there", self.archive("add", again).stdout)
        [record] = self.listed()
        self.assertEqual(record["hash"], hashlib.sha256(without_spaces(text).encode()).hexdigest())

    def test_costs_are_in_tables_with_the_median_of_each_process(self):
        self.archive("add", *GPUS)
        record = json.loads(GPUS[0].read_text(encoding="utf-8"))
        row = next(row for row in record["measurements"] if row["case"] == "device/copy" and row["status"] == "measured")
        name = "/".join([row["case"], *(f"{axis}={value}" for axis, value in row["axes"].items())])
        sql = """SELECT json_each.value FROM series JOIN measurement ON measurement.series = series.id JOIN subject ON subject.id = measurement.subject
                 JOIN record ON record.id = subject.record, json_each(measurement.medians)
                 WHERE series.name = ? AND series.quantity = ? AND record.started = ? ORDER BY json_each.key"""
        medians = [value for value, in self.ask(sql, name, row["quantity"], record["meta"]["started"])]
        self.assertEqual(medians, [process["median"] for process in row["processes"]])
        statuses = dict(self.ask("SELECT status, count(*) FROM measurement GROUP BY status"))
        all_rows = [row["status"] for path in GPUS for row in json.loads(path.read_text(encoding="utf-8"))["measurements"]]
        self.assertEqual(statuses, {status: all_rows.count(status) for status in set(all_rows)})
        self.assertEqual(set(self.ask("SELECT name, ecc, mig, most_sm_clock_mhz FROM device")),
                         {("NVIDIA H100 80GB HBM3", 1, 0, 1980), ("NVIDIA H200", 1, 0, 1980)})

    def test_verdicts_red_cases_and_causes_are_in_tables(self):
        done, record, _ = self.run_and_agree(*driver.AMP, *self.mistaken("grows late"), *driver.ONE_CONTRACT)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.archive("add", self.path("r.json"), "--commit", "abc123", "--machine", "node1")
        [subject] = record["subjects"]
        self.assertEqual(self.ask("SELECT verdict, exit_code, commit_id FROM subject"), [(subject["verdict"], subject["exit"], "abc123")])
        red = {case["id"] for case in subject["cases"] if case["outcome"] in ("fail", "crash", "timeout")}
        self.assertEqual({test for test, in self.ask("SELECT test FROM red")}, red)
        self.assertEqual(dict(self.ask("SELECT outcome, cases FROM outcome")), subject["outcomes"])
        self.assertEqual(len(self.ask("SELECT * FROM cause")), len(subject.get("causes", [])))
        self.assertEqual([one["machine"] for one in self.listed()], ["node1"])

    def test_an_export_is_what_was_added_and_makes_the_same_archive(self):
        self.archive("add", *BASELINES)
        self.archive("export", "--ndjson", "-o", self.path("all.ndjson"))
        lines = pathlib.Path(self.path("all.ndjson")).read_text(encoding="utf-8").splitlines()
        self.assertEqual({json.dumps(json.loads(line)) for line in lines},
                         {json.dumps(json.loads(path.read_text(encoding="utf-8"))) for path in BASELINES})
        self.archive("add", self.path("all.ndjson"), name="b.db")
        self.assertEqual([one["hash"] for one in self.listed(name="b.db")], [one["hash"] for one in self.listed()])
        one = self.listed()[0]["hash"]
        self.assertEqual(len(self.archive("export", "--ndjson", "--hash", one[:10]).stdout.splitlines()), 1)

    def test_an_export_to_standard_output_is_the_same_record_whatever_it_holds(self):
        done = driver.run("run", *driver.AMP, "--subject", self.toy("wrong", "'\u202e\x7f##[error]'"), *driver.ONE_CONTRACT, "--shrink", "0", "--json", self.path("r.json"))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.archive("add", self.path("r.json"))
        for more in ({}, {"GITHUB_ACTIONS": "true"}):
            line = driver.run("archive", "export", self.path("a.db"), env=os.environ | more).stdout
            self.assertNotRegex(line, "[\u202e\x7f]")
            self.assertIn("0 added, 1 already there", self.archive("add", self.write("again.ndjson", line)).stdout)

    def test_records_are_chosen_by_what_is_known_of_them(self):
        self.archive("add", GPUS[0], "--gpu", "GPU-1", "--commit", "aaa111")
        self.archive("add", GPUS[1], "--gpu", "GPU-2", "--commit", "bbb222")
        started = self.listed("--gpu", "GPU-2")[0]["started"]
        for words, count in ((["--gpu", "GPU-1"], 1), (["--gpu", "GPU-3"], 0), (["--commit", "aaa"], 1), (["--subject", "cuda"], 2), (["--kind", "run"], 0),
                             (["--since", started], len([one for one in self.listed() if one["started"] >= started])), (["--before", "2026"], 0)):
            self.assertEqual(len(self.listed(*words)), count, words)

    def test_what_is_pruned_is_gone_with_all_its_rows(self):
        files = self.imaginary(6)
        self.archive("add", *files)
        before = self.listed()
        limit = before[3]["started"]
        self.assertIn("3 would be removed", self.archive("prune", "--before", limit, "--dry-run").stdout)
        self.assertEqual(self.listed(), before)
        self.assertIn("3 removed, 3 left", self.archive("prune", "--before", limit).stdout)
        self.assertEqual(self.listed(), before[3:])
        self.archive("prune", "--kind", "bench")
        for table in ("record", "subject", "measurement", "device", "series"):
            self.assertEqual(self.ask(f"SELECT count(*) FROM {table}"), [(0,)], table)
        self.assertIn("needs to know which records", self.archive("prune", exit_code=2).stderr)
        self.archive("add", *files)
        self.assertEqual(self.listed(), before)

    def test_a_file_that_is_no_record_does_not_keep_the_others_out(self):
        bad = self.write("bad.json", '{"schema": "assay.bench/1"}')
        half = self.write("half.json", BASELINES[0].read_text(encoding="utf-8")[:5000])
        other = self.write("other.json", '{"schema": "assay.litmus/1"}')
        done = self.archive("add", bad, BASELINES[0], half, other, self.write("empty.json", ""), self.path("none.json"), BASELINES[1], exit_code=2)
        for words in (bad, half, "ends inside of a record", "keeps records of runs and benches", "it is empty", "none.json"):
            self.assertIn(words, done.stderr)
        self.assertIn("2 added, 0 already there, 5 of 7 files refused", done.stdout)
        self.assertEqual(len(self.listed()), 2)

    def test_a_first_file_that_is_no_record_leaves_no_archive(self):
        bad = self.write("bad.json", '{"schema": "assay.bench/1"}')
        self.assertIn("0 added, 0 already there, 1 of 1 files refused", self.archive("add", bad, exit_code=2).stdout)
        self.assertFalse((self.folder / "a.db").exists())
        self.archive("add", bad, BASELINES[0], exit_code=2)
        self.assertEqual(len(self.listed()), 1)

    def test_other_files_are_refused(self):
        done = self.archive("list", exit_code=2)
        self.assertIn("there is no archive", done.stderr)
        self.write("text.db", "no database, but long enough to be taken for one\n" * 50)
        self.assertIn("not a database", self.archive("add", BASELINES[0], name="text.db", exit_code=2).stderr)
        sqlite3.connect(self.path("other.db")).execute("CREATE TABLE mine (a)").connection.close()
        self.assertIn("no archive of assay", self.archive("add", BASELINES[0], name="other.db", exit_code=2).stderr)
        self.assertEqual(self.ask("SELECT name FROM sqlite_schema", name="other.db"), [("mine",)])

    def test_an_archive_of_a_newer_version_is_refused_in_two_lines(self):
        self.archive("add", BASELINES[0])
        connection = sqlite3.connect(self.path("a.db"))
        [(version,)] = connection.execute("PRAGMA user_version").fetchall()
        connection.execute(f"PRAGMA user_version = {version + 1}").connection.close()
        for command, words in (("add", [BASELINES[1]]), ("list", []), ("prune", ["--kind", "run"]), ("export", [])):
            done = self.archive(command, *words, exit_code=2)
            self.assertIn(f"is an archive of version {version + 1}, and this assay knows versions up to {version}.", done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 2, done.stderr)
        self.assertEqual(self.ask("SELECT count(*) FROM record"), [(1,)])

    def test_two_writers_add_all_records_and_each_once(self):
        files = [self.imaginary(30, seed) for seed in (1, 2)]
        common = self.imaginary(20, 3)
        writers = [subprocess.Popen([driver.ASSAY, "archive", "add", "-q", self.path("a.db"), *mine, *common], stdout=subprocess.PIPE, text=True)
                   for mine in files]
        counts = [tuple(map(int, re.search(r"(\d+) added, (\d+) already", writer.communicate(timeout=driver.PATIENCE)[0]).groups())) for writer in writers]
        self.assertEqual([writer.returncode for writer in writers], [0, 0])
        self.assertEqual([added + known for added, known in counts], [50, 50])
        self.assertEqual(sum(added for added, _ in counts), 80)
        self.assertEqual(len(self.listed()), 80)
        self.assertEqual(self.ask("PRAGMA integrity_check"), [("ok",)])

    def test_a_killed_writer_leaves_whole_records_and_the_rest_can_follow(self):
        files = self.imaginary(60)
        rows = len(json.loads(pathlib.Path(files[0]).read_text(encoding="utf-8"))["measurements"])
        chance = random.Random(5)
        for _ in range(12):
            writer = subprocess.Popen([driver.ASSAY, "archive", "add", "-q", self.path("a.db"), *files], stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.005, 0.12))
            writer.send_signal(signal.SIGKILL)
            writer.wait()
            if not pathlib.Path(self.path("a.db")).exists():
                continue
            # A reader undoes what was half written.
            done = driver.run("archive", "list", "--json", self.path("a.db"))
            if done.returncode == 2:  # killed before the tables were there
                self.assertIn("no archive of assay", done.stderr)
                continue
            self.assertEqual(self.ask("PRAGMA integrity_check"), [("ok",)])
            count = len(json.loads(done.stdout))
            self.assertEqual(self.ask("SELECT count(*) FROM measurement"), [(count * rows,)])
            self.assertEqual(self.ask("SELECT count(*) FROM subject"), [(count,)])
        self.archive("add", *files)
        self.assertEqual(len(self.listed()), 60)


if __name__ == "__main__":
    driver.main()
