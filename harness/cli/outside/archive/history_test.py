#!/usr/bin/env python3
"""Tests of `assay history` on imaginary histories with planted changes. Usage: history_test.py <folder of the programs>."""

import csv
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402
import imaginary_history  # noqa: E402


def is_steady_device(row):
    return row["quantity"] == "device.exec_ns" and row["case"] in ("device/copy", "device/memset", "device/cast_to") and imaginary_history.steady(row)


def slower(row):
    return 1.06 if row["case"] == "device/copy" else 1.0


def all_slower(_):
    return 1.06


class ImaginaryHistory(driver.ProgramTest):
    def setUp(self):
        super().setUp()
        self.made = imaginary_history.History(11, keep=is_steady_device)

    def add(self, records, *words):
        self.count = getattr(self, "count", 0) + 1
        file = imaginary_history.write(self.folder / f"{self.count}.ndjson", records)
        done = driver.run("archive", "add", "-q", self.path("a.db"), file, *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def history(self, *words, exit_code=0):
        done = driver.run("history", self.path("a.db"), "--json", self.path("h.json"), *words)
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        found = self.record("h.json")
        self.assertEqual(found["exit"], exit_code)
        self.assertEqual(found["line"], driver.last_line(done))
        return found, done.stdout

    def changes(self, *words, exit_code=0):
        found, _ = self.history(*words, exit_code=exit_code)
        return [(cost["name"].split("/")[1], change["index"], change["cause"]) for cost in found["costs"] for change in cost["changes"]]

    def commit(self, index):
        return f"{index:04x}c0ffee00"[:12]


class Costs(ImaginaryHistory):
    def test_a_step_is_found_where_it_is_and_blamed_on_the_code(self):
        self.add(self.made.runs(14) + self.made.runs(8, factor=slower))
        found, text = self.history()
        changed = {cost["name"]: cost["changes"] for cost in found["costs"] if cost["changes"]}
        self.assertTrue(changed)
        for name, [change] in changed.items():
            self.assertTrue(name.startswith("device/copy/"), name)
            self.assertEqual((change["index"], change["cause"], change["worse"]), (14, "code", True))
            self.assertAlmostEqual(change["ratio"], 1.06, delta=0.01)
            self.assertEqual((change["commit_before"], change["commit"]), (self.commit(13), self.commit(14)))
        self.assertIn("imaginary numbers", text)
        self.assertIn(f"code: between {self.commit(13)} and {self.commit(14)}", text)

    def test_a_step_down_is_faster_and_does_not_fail_a_gate_on_the_worse(self):
        self.add(self.made.runs(12, factor=slower) + self.made.runs(8))
        self.assertIn("faster by", self.history("--gate", self.commit(11), exit_code=1)[1])
        self.history("--gate", self.commit(11), "--worse")

    def test_the_gate_fails_only_on_what_is_newer(self):
        self.add(self.made.runs(12) + self.made.runs(8, factor=slower))
        for before, exit_code in ((11, 1), (5, 1), (12, 0), (16, 0), (19, 5)):
            self.history("--gate", self.commit(before), exit_code=exit_code)
        self.assertIn("no record of this commit", driver.run("history", self.path("a.db"), "--gate", "fffffff").stderr)

    def test_a_commit_that_is_measured_again_does_not_hide_what_is_newer(self):
        def again(record):
            record["meta"]["revision"] = self.commit(11)
        self.add(self.made.runs(12) + self.made.runs(8, factor=slower) + self.made.runs(1, change=again))
        self.history("--gate", self.commit(11), exit_code=1)

    def test_one_run_and_two_are_no_alarm(self):
        self.add(self.made.runs(14) + self.made.runs(1, factor=lambda _: 2.0))
        found, text = self.history("--gate", self.commit(13))
        self.assertEqual(self.changes(), [])
        self.assertTrue(all(cost["apart_at_end"] == 1 for cost in found["costs"]))
        self.assertIn("the last run lies apart, and no change is confirmed yet", text)
        self.add(self.made.runs(1, factor=lambda _: 2.0))
        self.assertEqual(self.changes("--gate", self.commit(13)), [])
        self.add(self.made.runs(2, factor=lambda _: 2.0))
        self.assertEqual({change[1:] for change in self.changes("--gate", self.commit(13), exit_code=1)}, {(14, "code")})

    def test_a_disturbed_run_in_the_middle_is_no_change(self):
        self.add(self.made.runs(8) + self.made.runs(1, factor=lambda _: 1.5) + self.made.runs(8))
        self.assertEqual(self.changes(), [])

    def test_few_runs_decide_nothing(self):
        self.add(self.made.runs(4) + self.made.runs(3, factor=lambda _: 2.0))
        found, _ = self.history()
        self.assertTrue(all(cost["too_few"] and not cost["changes"] for cost in found["costs"]))
        self.history("--gate", self.commit(3), exit_code=4)
        self.assertIn("too few to judge", self.history("--all")[1])

    def test_another_compiler_is_method(self):
        def with_compiler(record):
            record["meta"]["compiler"] = "GNU 13.2.0 x86_64"
        self.add(self.made.runs(10) + self.made.runs(6, change=with_compiler, factor=all_slower))
        self.assertEqual({change[1:] for change in self.changes()}, {(10, "method")})
        self.assertIn("method: compiler: GNU 12.2.0 x86_64 before, GNU 13.2.0 x86_64 behind it", self.history()[1])

    def test_other_loops_are_method(self):
        def with_loops(record):
            record["meta"]["min_time_ns"] = 1e5
        self.add(self.made.runs(10) + self.made.runs(6, change=with_loops, factor=all_slower))
        self.assertEqual({change[1:] for change in self.changes()}, {(10, "method")})

    def test_a_newer_driver_and_ecc_are_the_machine(self):
        def with_driver(record):
            record["environment"]["driver"] = "a newer one"

        def with_ecc(record):
            record["environment"]["devices"][0]["ecc"] = False
        self.add(self.made.runs(10) + self.made.runs(8, change=with_driver, factor=all_slower)
                 + self.made.runs(8, change=with_ecc, factor=lambda _: 1.12))
        self.assertEqual({change[1:] for change in self.changes()}, {(10, "machine"), (18, "machine")})

    def test_a_lower_clock_is_the_machine(self):
        def with_clock(record):
            for row in record["measurements"]:
                for process in row["processes"]:
                    process["sm_clock_mhz"], process["throttled_by"] = 1860, "power"
        self.add(self.made.runs(10) + self.made.runs(8, change=with_clock, factor=all_slower))
        self.assertEqual({change[1:] for change in self.changes()}, {(10, "machine")})
        self.assertIn("limited by power", self.history()[1])

    def test_a_machine_that_replaces_another_makes_a_change_and_two_that_take_turns_none(self):
        def on(name):
            def change(record):
                record["environment"]["machine"] = name
            return change
        self.add(self.made.runs(10, change=on("old")) + self.made.runs(8, change=on("new"), factor=all_slower))
        self.assertEqual({change[1:] for change in self.changes()}, {(10, "machine")})
        os.unlink(self.path("a.db"))
        self.add([run for _ in range(9) for run in (self.made.run(change=on("old")), self.made.run(change=on("new"), factor=all_slower))])
        found, _ = self.history()
        self.assertEqual({cost["machine"].split(",")[0] for cost in found["costs"]}, {"old", "new"})
        self.assertEqual(self.changes(), [])

    def test_one_commit_with_two_levels_is_noise_and_passes_the_gate(self):
        def same(record):
            record["meta"]["revision"] = "0000deadbeef"
        self.add(self.made.runs(10, change=same) + self.made.runs(8, change=same, factor=all_slower))
        self.assertEqual({change[1:] for change in self.changes()}, {(10, "noise")})
        self.history("--gate", "0000deadbeef", exit_code=5)

    def test_a_label_says_the_commit_and_a_file_the_order(self):
        self.add(self.made.runs(8, factor=slower), "--commit", "new")  # measured first
        self.add(self.made.runs(8), "--commit", "old")
        self.add(self.made.runs(1), "--commit", "elsewhere")
        order = self.write("order", "old the first\nnew the second\n")
        found, _ = self.history("--commits", order, "--gate", "old", exit_code=1)
        [change] = next(cost["changes"] for cost in found["costs"] if cost["changes"])
        self.assertEqual((change["commit_before"], change["commit"], change["worse"]), ("old", "new", True))
        self.assertIn("1 records of commits that --commits does not list were left out", found["line"])
        self.assertIn("--commits does not list it", driver.run("history", self.path("a.db"), "--commits", order, "--gate", "elsewhere").stderr)

    def test_missing_quantities_and_filters(self):
        def without_copies(record):
            record["measurements"] = [row for row in record["measurements"] if row["case"] != "device/copy"]
        self.add(self.made.runs(5) + self.made.runs(1, change=without_copies) + self.made.runs(6) + self.made.runs(6, factor=slower))
        self.assertEqual({change[:2] for change in self.changes()}, {("copy", 11)})
        self.assertEqual(self.changes("--filter", "device/memset"), [])
        self.assertEqual(len(self.changes("--filter", "device/copy")), len(self.changes()))
        self.history("--filter", "nothing/*", exit_code=5)
        self.history("--subject", "nobody", exit_code=5)

    def test_a_cost_that_can_no_longer_be_measured_fails_the_gate(self):
        def lost(status):
            def change(record):
                row = record["measurements"][0]
                row.update(status=status, reason="it died", center=None, interval=None, processes=[])
            return change
        for status in ("failed", "unsupported"):
            with self.subTest(status):
                pathlib.Path(self.path("a.db")).unlink(missing_ok=True)
                self.made = imaginary_history.History(11, keep=is_steady_device)
                self.add(self.made.runs(12) + self.made.runs(2, change=lost(status)))
                found, text = self.history("--gate", self.commit(11), exit_code=1)
                self.assertEqual({(one["commit"], one["new"], one["reason"]) for one in found["failed"]}, {(self.commit(12), True, "it died"), (self.commit(13), True, "it died")})
                self.assertRegex(text, rf"(?m)^    not measured at {self.commit(12)} .* NEW: it died$")
                self.assertIn("2 not measured any more", found["line"])
                self.history("--gate", self.commit(13), exit_code=5)
                self.add(self.made.runs(1))
                self.assertEqual(self.history("--gate", self.commit(11))[0]["failed"], [])

    def test_what_never_had_a_number_is_no_change(self):
        def never(record):
            record["measurements"][0].update(status="failed", reason="it died", center=None, interval=None, processes=[])
        self.add(self.made.runs(12, change=never))
        self.assertEqual(self.history("--gate", self.commit(9))[0]["failed"], [])

    def test_an_empty_commit_turns_no_gate_off(self):
        self.add(self.made.runs(3))
        for words in (["--gate", ""], ["--commits", "", "--gate", self.commit(1)], ["--filter", ""], ["--subject", ""]):
            self.refused("history", self.path("a.db"), *words, says=["expected a text, got ''"])
        self.refused("archive", "prune", self.path("a.db"), "--kind", "bench", "--before", "", says=["--before", "expected a text, got ''"])

    def test_every_run_is_a_line_of_the_table_for_otava(self):
        self.add(self.made.runs(9))
        self.history("--csv", self.path("h.csv"))
        rows = list(csv.reader(pathlib.Path(self.path("h.csv")).read_text(encoding="utf-8").splitlines()))
        self.assertEqual(rows[0][:2], ["time", "commit"])
        self.assertEqual([row[1] for row in rows[1:]], [self.commit(index) for index in range(9)])
        self.assertEqual(int(rows[1][0]), 1767268800)
        self.assertEqual({len(row) for row in rows}, {2 + len(self.made.record["measurements"])})

    def test_the_page_draws_each_series_and_says_that_it_is_imaginary(self):
        self.add(self.made.runs(12) + self.made.runs(8, factor=slower))
        found, _ = self.history("--html", self.path("h.html"))
        page = pathlib.Path(self.path("h.html")).read_text(encoding="utf-8")
        self.assertEqual(page.count("<svg"), len(found["costs"]))
        self.assertIn("Synthetic: this page has numbers that no machine measured", page)
        self.assertIn(f"code: between {self.commit(11)} and {self.commit(12)}", page)
        self.assertNotIn("<script", page)
        self.assertLess(page.index("device/copy"), page.index("Costs without a change"))

    def test_the_exit_codes_of_wrong_usage(self):
        self.add(self.made.runs(1))
        for words, complaint in ((["--margin", "x"], "x"), (["--persistence", "1"], "--persistence"), (["--commits", self.path("none")], "none")):
            done = driver.run("history", self.path("a.db"), *words)
            self.assertEqual((done.returncode, complaint in done.stderr), (2, True), done.stderr)
        self.assertEqual(driver.run("history", self.path("none.db")).returncode, 2)


class Counts(ImaginaryHistory):
    def setUp(self):
        super().setUp()
        for row in self.made.record["measurements"]:
            row.update(quantity="instr.count", unit="instructions", exact=True)

    def counted(self, count):
        def change(record):
            for row in record["measurements"]:
                row["processes"] = row["processes"][:1]
                row["processes"][0].update(samples=[count], median=count)
                row["center"] = count
        return change

    def test_every_difference_of_a_count_is_a_change(self):
        self.add([self.made.run(change=self.counted(count)) for count in (500.0, 500.0, 500.5, 500.5, 499.0)])
        found, text = self.history("--gate", self.commit(3), exit_code=1)
        for cost in found["costs"]:
            self.assertEqual([(change["index"], change["after"], change["cause"], change["new"], "p" in change) for change in cost["changes"]],
                             [(2, 500.5, "code", False, False), (4, 499.0, "code", True, False)])
        self.assertIn("exact", text)
        self.history("--gate", self.commit(3), "--worse")
        self.history("--gate", self.commit(1), "--worse", exit_code=1)


class Verdicts(ImaginaryHistory):
    def run_of(self, *mistakes, commit):
        done = driver.run("run", *driver.AMP, *self.mistaken(*mistakes), *driver.ONE_CONTRACT, "--json", self.path("r.json"))
        self.assertEqual(done.returncode, 1 if mistakes else 4, done.stdout)
        return driver.run("archive", "add", "-q", self.path("a.db"), self.path("r.json"), "--commit", commit)

    def test_a_new_failure_fails_the_gate_with_its_cases(self):
        self.run_of(commit="aaa")
        self.run_of("grows late", commit="bbb")
        order = self.write("order", "aaa\nbbb\n")
        found, text = self.history("--commits", order, "--gate", "aaa", exit_code=1)
        [verdict] = found["verdicts"]
        [change] = verdict["changes"]
        self.assertEqual((change["index"], change["worse"], change["new"], change["cause"]), (1, True, True, "code"))
        self.assertTrue(any("amp/update_scale" in case for case in change["newly_red"]))
        self.assertEqual(verdict["runs"][1]["red"], len(change["newly_red"]))
        self.assertIn("newly red: amp/update_scale/", text)
        self.assertIn("code: between aaa and bbb", text)
        self.history("--commits", order, "--gate", "bbb", exit_code=5)

    def test_one_commit_with_two_verdicts_is_flaky_and_fails_the_gate(self):
        self.run_of(commit="aaa")
        self.run_of(commit="bbb")
        self.run_of("grows late", commit="bbb")
        found, _ = self.history("--commits", self.write("order", "aaa\nbbb\n"), "--gate", "aaa", exit_code=1)
        [change] = found["verdicts"][0]["changes"]
        self.assertTrue(change["flaky"])
        self.assertEqual(change["cause"], "noise")


    def test_fewer_cases_that_pass_are_worse_even_if_nothing_fails(self):
        def run(commit, day, excused):
            record = self.record()
            record["started"] = f"2026-01-0{day}T00:00:00Z"
            for subject in record["subjects"]:
                for case in [case for case in subject["cases"] if case["outcome"] == "pass"][:excused]:
                    case.update(outcome="unsupported", excused=True, excuse="never")
            file = self.write(f"{commit}.json", json.dumps(driver.recounted(record)))
            done = driver.run("archive", "add", "-q", self.path("a.db"), file, "--commit", commit)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(driver.run("run", *driver.AMP, *driver.ONE_CONTRACT, "--json", self.path("r.json")).returncode, 0)
        run("aaa", 1, 0)
        run("bbb", 2, 19)
        for words in ([], ["--worse"]):
            found, text = self.history("--gate", "aaa", *words, exit_code=1)
            self.assertTrue(found["verdicts"][0]["changes"][0]["worse"])
            self.assertIn("CONFORMS to CONFORMS", text)
            self.assertIn("20 cases pass instead of 39", text)
        run("ccc", 3, 0)
        self.history("--gate", "bbb", "--worse")

    def test_a_run_that_shows_nothing_is_worse_than_one_that_fails(self):
        self.run_of("grows late", commit="aaa")
        self.assertEqual(driver.run("run", *driver.AMP, "--subject", self.toy("unsupported"), *driver.ONE_CONTRACT, "--json", self.path("n.json")).returncode, 5)
        record, nothing = self.record(), self.record("n.json")
        nothing["subjects"][0].update(subject=record["subjects"][0]["subject"], hello=record["subjects"][0]["hello"])
        nothing["started"] = "2999-01-01T00:00:00Z"
        driver.run("archive", "add", "-q", self.path("a.db"), self.write("n.json", json.dumps(nothing)), "--commit", "bbb")
        found, text = self.history("--gate", "aaa", "--worse", exit_code=1)
        self.assertIn("to NOTHING RAN", text)
        self.assertTrue(found["verdicts"][0]["changes"][0]["worse"])

    def test_a_first_verdict_that_is_bad_fails_the_gate(self):
        self.run_of(commit="aaa")
        done = driver.run("run", *driver.AMP, "--subject", self.toy("wrong"), *driver.ONE_CONTRACT, "--json", self.path("r.json"))
        self.assertEqual(done.returncode, 1, done.stdout)
        driver.run("archive", "add", "-q", self.path("a.db"), self.path("r.json"), "--commit", "bbb")
        order = self.write("order", "aaa\nbbb\n")
        for words in ([], ["--worse"]):
            self.assertIn("FAILS from its first run NEW", self.history("--commits", order, "--gate", "aaa", *words, exit_code=1)[1])


class Otava(ImaginaryHistory):
    def test_otava_imports_the_table_and_agrees(self):
        """Where ASSAY_ORACLES is a Python with Apache Otava."""
        python = os.environ.get("ASSAY_ORACLES", "")
        otava = pathlib.Path(python or "none").with_name("otava")
        if not python or not otava.exists():
            self.skipTest("ASSAY_ORACLES names no Python with apache-otava")
        self.add(self.made.runs(14) + self.made.runs(10, factor=slower))
        self.history("--csv", self.path("h.csv"))
        header = next(csv.reader(pathlib.Path(self.path("h.csv")).read_text(encoding="utf-8").splitlines()))
        metrics = "\n".join(f"      m{index}:\n        column: {json.dumps(name)}" for index, name in enumerate(header[2:]))
        config = self.write("otava.yaml", f"tests:\n  h:\n    type: csv\n    file: {self.path('h.csv')}\n    time_column: time\n"
                            f"    attributes: [commit]\n    metrics:\n{metrics}\n")
        done = subprocess.run([otava, "analyze", "h", "--since", "2025-12-01", "--output", "json"], capture_output=True, text=True,
                              env=os.environ | {"OTAVA_CONFIG": config})
        self.assertEqual(done.returncode, 0, done.stderr)
        theirs = {header[2 + int(change["metric"][1:])]: point["time"] for point in json.loads(done.stdout)["h"] for change in point["changes"]}
        mine = {f"{cost['subject']} {cost['quantity']} {cost['name']} ({cost['contract']})" for cost in self.history()[0]["costs"] if cost["changes"]}
        self.assertEqual(set(theirs), mine)


if __name__ == "__main__":
    driver.main()
