#!/usr/bin/env python3
"""Tests archives that somebody else has made: nothing in them runs, hangs or looks like this program. Usage: hostile_archive_test.py <folder of the programs>."""

import gzip
import json
import os
import pathlib
import shutil
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402
import imaginary_history  # noqa: E402

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
FORGED = "x' || char(10) || 'PASS forged' || char(10) || '::error::forged' || char(27) || '[31m"


def is_steady_device(row):
    return row["case"] in ("device/copy", "device/memset") and row["quantity"] == "device.exec_ns" and imaginary_history.steady(row)


class Hostile(driver.ProgramTest):
    def setUp(self):
        super().setUp()
        made = imaginary_history.History(11, keep=is_steady_device).runs(9)
        self.records = imaginary_history.write(self.folder / "r.ndjson", made[:8])
        self.newer = imaginary_history.write(self.folder / "newer.ndjson", made[8:])
        self.assertEqual(driver.run("archive", "add", "-q", self.path("good.db"), self.records).returncode, 0)

    def with_sql(self, *statements):
        path = self.path("bad.db")
        shutil.copy(self.path("good.db"), path)
        connection = sqlite3.connect(path, isolation_level=None)
        self.addCleanup(connection.close)
        for sql in statements:
            connection.executescript(sql)
        connection.close()
        return path

    def answers(self, archive):
        """What each command makes of the archive, in a time in which no good one is late."""
        outputs = [word for name in ("json", "csv", "html") for word in ("--" + name, self.path("h." + name))]
        done = {}
        for name, words in {"list": ["archive", "list", archive], "json": ["archive", "list", archive, "--json"], "export": ["archive", "export", archive],
                            "history": ["history", archive, "--all", *outputs], "fleet": ["fleet", "--archive", archive],
                            "add": ["archive", "add", archive, self.newer], "prune": ["archive", "prune", archive, "--before", "2026-01-02"]}.items():
            done[name] = driver.run(*words, timeout=driver.PATIENCE / 5)
            self.assertIn(done[name].returncode, (0, 2, 4, 5), (name, done[name].stderr))
            self.assertNotIn("internal error", done[name].stderr)
        return done

    def refused_by_all(self, archive, says):
        for name, done in self.answers(archive).items():
            if name == "fleet":
                continue
            self.assertEqual(done.returncode, 2, (name, done.stdout))
            self.assertIn(says, done.stderr)

    def test_a_view_or_another_table_in_the_place_of_one_is_refused(self):
        for sql in (f"ALTER TABLE record RENAME TO hidden; CREATE VIEW record AS {ENDLESS} SELECT hidden.* FROM hidden, n",
                    "DROP TABLE red; CREATE VIRTUAL TABLE red USING fts4(subject, test, contract, outcome, sentence)",
                    "DROP TABLE outcome", "ALTER TABLE record ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(zeroblob(1000)))",
                    "CREATE INDEX more ON record (hex(zeroblob(1000)))", "CREATE INDEX more ON record (line)", "DROP INDEX record_started; CREATE INDEX record_started ON record (hex(zeroblob(1000)))"):
            with self.subTest(sql):
                try:
                    archive = self.with_sql(sql)
                except sqlite3.OperationalError as error:  # this SQLite has no such tables
                    self.assertIn("no such module", str(error))
                    continue
                self.refused_by_all(archive, "has other tables or indices than an archive of assay")

    def test_no_trigger_runs(self):
        archive = self.with_sql(f"CREATE TRIGGER more AFTER INSERT ON record BEGIN INSERT INTO outcome {ENDLESS} SELECT i, i, i FROM n; END",
                                "CREATE TRIGGER less AFTER DELETE ON record BEGIN DELETE FROM series; DELETE FROM record; END")
        done = self.answers(archive)
        self.assertIn("1 added", done["add"].stdout)
        self.assertIn("1 removed, 8 left", done["prune"].stdout)

    def test_numbers_that_are_none_are_refused_or_left_out(self):
        for sql in ("UPDATE measurement SET center = 9e999", "UPDATE measurement SET center = -9e999", "UPDATE record SET null_call_ns = 9e999",
                    "UPDATE measurement SET sm_clock_mhz = -9e999"):
            self.assertIn("a number in it is not finite", self.answers(self.with_sql(sql))["history"].stderr, sql)
        for medians in ("", "[", "]", "[inf,nan,1e999,-1,0]", "x" * 100000, "[1,,2", "[0x1p+2000]"):
            done = self.answers(self.with_sql(f"UPDATE measurement SET medians = '{medians}'"))
            self.assertEqual(done["history"].returncode, 0, done["history"].stderr)

    def test_a_text_that_is_not_the_one_added_is_not_exported(self):
        other = gzip.compress(b'{"schema":"assay.run/1"}').hex()
        for text, says in ((f"x'{other}'", "is not the one that was added"), ("'no gzip'", "compressed data are incomplete"), ("zeroblob(1000000)", "compressed data are incomplete")):
            done = self.answers(self.with_sql(f"UPDATE record SET text = {text}"))
            self.assertEqual((done["export"].returncode, done["export"].stdout), (2, ""))
            self.assertIn(says, done["export"].stderr)

    def test_no_text_of_an_archive_looks_like_a_line_of_this_program(self):
        every = {"record": "kind file started machine gpu cpu kernel driver governor virtualization tool revision line hash".split(),
                 "subject": "subject typed name version contract via commit_id build_type compiler flags verdict line".split(),
                 "series": "subject contract name quantity unit".split(), "measurement": "reason throttled_by".split()}
        self.assertEqual(driver.run("run", *driver.AMP, *self.mistaken("grows late"), *driver.ONE_CONTRACT, "--json", self.path("r.json")).returncode, 1)
        self.assertEqual(driver.run("archive", "add", "-q", self.path("good.db"), self.path("r.json")).returncode, 0)
        os.environ["GITHUB_ACTIONS"] = "true"
        self.addCleanup(os.environ.pop, "GITHUB_ACTIONS")
        for table, columns in every.items():
            forged = ", ".join(f"{column} = '{FORGED}' || rowid" for column in columns)
            for name, done in self.answers(self.with_sql(f"UPDATE {table} SET {forged}")).items():
                said = done.stdout + done.stderr
                self.assertNotRegex(said, r"(?m)^(PASS forged|::error)", (table, name))
                self.assertNotIn("\x1b", said, (table, name))

    def test_a_name_that_sqlite_takes_for_memory_is_a_file(self):
        for name in (":memory:", "file:a.db?mode=memory"):
            done = driver.run("archive", "add", name, self.records, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue((self.folder / name).exists())
            self.assertEqual(len(json.loads(driver.run("archive", "list", "--json", name, cwd=self.folder).stdout)), 8)
        self.refused("archive", "add", "", self.records, says=["cannot use"])

    def test_all_parts_of_a_compressed_file_are_added(self):
        both = self.folder / "both.gz"
        both.write_bytes(b"".join(gzip.compress(pathlib.Path(file).read_bytes()) for file in (self.records, self.newer)))
        self.assertIn("9 added", driver.run("archive", "add", self.path("both.db"), str(both)).stdout)
        both.write_bytes(both.read_bytes() + b"and something else")
        done = driver.run("archive", "add", self.path("both.db"), str(both))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("compressed data are incomplete", done.stderr)


if __name__ == "__main__":
    driver.main()
