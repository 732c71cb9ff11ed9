#!/usr/bin/env python3
"""Tests assay compare and assay gate: verdicts, exit codes, and that the gate never passes by accident."""

import csv
import json
import pathlib
import random

import driver
import imaginary_gpus

THRESHOLDS = 'schema = 1\nmargin = "2 %"\nfail_on = ["regression"]\n'
BUILD = {"tool": "0.1.0", "revision": "1234567", "dirty": False, "build_type": "Release", "compiler": "GNU 12",
         "flags": "-O1"}


def measurement(case, center, subject="mine", processes=10, seed=0, **more):
    """Process medians around a center, with a spread of 0.5 %."""
    draw = random.Random(f"{case} {subject} {seed}")
    medians = [center * draw.gauss(1, 0.005) for _ in range(processes)]
    made = {"case": case, "axes": {}, "quantity": "host.dispatch_ns", "unit": "ns", "better": "lower", "exact": False,
            "subject": subject, "checked": True, "status": "measured", "reason": None,
            "center": sorted(medians)[processes // 2], "interval": None, "null_calls": None,
            "processes": [{"index": i, "order": i, "median": median, "samples": [median], "iterations": 1000,
                           "checksum_ok": True, "load": None, "null_call_ns": None} for i, median in enumerate(medians)]}
    return made | more


def without_time(case, status="unsupported"):
    return measurement(case, 1) | {"checked": False, "status": status, "reason": "it cannot", "center": None,
                                   "processes": []}


def record(measurements, **meta):
    ids = sorted({each["subject"] for each in measurements} | {"mine"})
    return {"schema": "assay.bench/1", "synthetic": False,
            "meta": BUILD | {"argv": [], "started": "2026-11-21T11:00:00Z", "seconds": 1, "seed": 1, "quick": False,
                             "complete": True, "interrupted": False, "processes": 10, "min_time_ns": 1000, "samples": 1,
                             "exit": 0, "line": "PASS"} | meta,
            "environment": {"machine": "a machine", "cpu": "a cpu", "cores": 2, "kernel": "Linux", "virtual": "none",
                            "governor": None, "smt": None, "aslr": None, "load_start": None, "load_end": None,
                            "driver": "", "devices": []},
            "calibration": dict.fromkeys(("timer_cost_ns", "timer_resolution_ns", "empty_loop_ns", "null_call_ns")),
            "subjects": [{"id": id, "subject": id, "name": id, "version": "1", "contract": "2.11/cuda/strict",
                          "via": "c++", "copy_of": None, "build": None} for id in ids],
            "measurements": measurements, "noise_floor": None, "warnings": []}


CASES = [f"dispatch/case{i}" for i in range(12)]


def whole_record(seed, **factors):
    """Twelve cases of 100 ns, some of them multiplied by a factor."""
    return record([measurement(case, 100 * factors.get(case.split("/")[1], 1), seed=seed) for case in CASES])


class CompareTest(driver.ProgramTest):
    def file(self, name, content):
        return self.write(name, content if isinstance(content, str) else json.dumps(content))

    def compare(self, before, after, *words):
        return driver.run("compare", self.file("before.json", before), self.file("after.json", after), *words)

    def gate(self, before, after, thresholds=THRESHOLDS, *words):
        return driver.run("gate", "--baseline", self.file("before.json", before), "--candidate",
                          self.file("after.json", after), "--thresholds", self.file("gate.toml", thresholds), *words)

    def stopped(self, done, code, *says):
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for words in says:
            self.assertIn(words, done.stdout + done.stderr)


class Compare(CompareTest):
    def test_finds_a_planted_slowdown_and_nothing_else(self):
        path = self.path("found.json")
        done = self.compare(whole_record(1), whole_record(2, case3=1.05), "--json", path)
        self.stopped(done, 0)
        self.assertRegex(driver.last_line(done), r"^COMPARED 12 of 12 pairs compared: 1 slower, 11 same; margin 2 %")
        found = json.loads(pathlib.Path(path).read_text())
        self.assertEqual(found["line"], driver.last_line(done))
        self.assertEqual(found["exit"], done.returncode)
        slow = [row["name"] for row in found["rows"] if row["candidates"][0]["verdict"] == "slower"]
        self.assertEqual(slow, ["dispatch/case3"])

    def test_a_third_of_a_percent_is_the_same(self):
        done = self.compare(whole_record(1), whole_record(2, case3=1.003))
        self.assertRegex(driver.last_line(done), r": 12 same; ")

    def test_writes_markdown_and_csv(self):
        page, table = self.path("page.md"), self.path("table.csv")
        self.stopped(self.compare(whole_record(1), whole_record(2), "--md", page, "--csv", table), 0)
        self.assertIn("| dispatch/case3 |", pathlib.Path(page).read_text())
        with open(table, newline="") as lines:
            rows = list(csv.DictReader(lines))
        self.assertEqual([row["case"] for row in rows], CASES)
        self.assertEqual({row["verdict"] for row in rows}, {"same"})

    def test_takes_several_records(self):
        paths = [self.file(f"{i}.json", whole_record(i)) for i in range(3)]
        done = driver.run("compare", *paths)
        self.assertRegex(driver.last_line(done), r"^COMPARED 24 of 24 pairs")

    def test_subjects_of_one_record_stand_side_by_side(self):
        both = record([measurement("a", 100), measurement("a", 150, subject="other"), measurement("a", 50, subject="third")])
        path = self.file("both.json", both)
        done = driver.run("compare", path, "--col", "subject")
        self.assertRegex(driver.last_line(done), r"^COMPARED 2 of 2 pairs compared: 1 faster, 1 slower; ")
        done = driver.run("compare", path, "--col", "subject", "--value", "other", "--value", "mine")
        self.assertRegex(driver.last_line(done), r"^COMPARED 1 of 1 pairs compared: 1 faster; ")
        self.refused("compare", path, "--col", "subject", "--value", "othr", says=["did you mean other"])
        self.refused("compare", path, "--col", "subjet", says=["did you mean subject"])
        self.refused("compare", path, "--col", "via", says=["has one via only"])
        self.refused("compare", path, path, "--col", "subject", says=["sides of one record"])
        self.refused("compare", path, path, "--col", "subjet", says=["did you mean subject"])
        self.refused("compare", path, path, "--value", "mine", says=["--value needs --col"])
        self.refused("compare", path, says=["at least two records"])

    def test_builds_and_axes_of_one_record_stand_side_by_side(self):
        rows = [measurement("cast", 100 * (1.3 if dtype == "f16" else 1) * (1.1 if subject == "mine" else 1),
                            subject=subject, axes={"dtype": dtype, "n": n}, seed=f"{dtype}{n}")
                for dtype in ("f32", "f16") for n in (1, 2) for subject in ("mine", "mine@other")]
        both = record(rows)
        both["subjects"][1] |= {"subject": "mine", "build": BUILD}
        path, found = self.file("both.json", both), self.path("found.json")
        done = driver.run("compare", path, "--col", "build", "--json", found)
        self.assertRegex(driver.last_line(done), r"^COMPARED 4 of 4 pairs compared: 4 slower; ")
        sides = [(column["key"], column["value"]) for column in json.loads(pathlib.Path(found).read_text())["columns"]]
        self.assertEqual(sides, [("build", "other"), ("build", "this")])
        done = driver.run("compare", path, "--col", "dtype", "--json", found)
        self.assertRegex(driver.last_line(done), r"^COMPARED 4 of 4 pairs compared: 4 slower; ")
        names = [row["name"] for row in json.loads(pathlib.Path(found).read_text())["rows"]]
        self.assertEqual(sorted(set(names)), ["cast/n=1", "cast/n=2"])

    def test_devices_of_several_records_stand_side_by_side(self):
        paths = []
        for name, seed in (("one GPU", 1), ("another GPU", 2)):
            made = whole_record(seed)
            made["environment"] = made["environment"] | {"devices": [{"name": name}]}
            paths.append(self.file(f"{seed}.json", made))
        self.refused("compare", *paths, says=["the machines differ"])
        done = driver.run("compare", *paths, "--col", "device")
        self.assertRegex(driver.last_line(done), r"^COMPARED 12 of 12 pairs compared: 12 same; ")
        self.assertIn("another GPU", done.stdout)
        self.refused("compare", paths[0], paths[0], "--col", "device", says=["two records are of 'one GPU'"])

    def test_three_imaginary_gpus_stand_side_by_side_and_beside_no_real_one(self):
        paths = [self.file(f"{index}.json", imaginary_gpus.record(gpu)) for index, gpu in enumerate(imaginary_gpus.GPUS)]
        found = self.path("found.json")
        done = driver.run("compare", *paths, "--col", "device", "--json", found)
        self.assertIn("SYNTHETIC", done.stdout)
        rows = {row["name"]: [cell["verdict"] for cell in row["candidates"]] for row in json.loads(pathlib.Path(found).read_text())["rows"]}
        self.assertEqual(rows["launch/kernel/stream=default"], ["faster", "slower"])
        self.assertEqual(rows["device/copy/N=67108864/l2=hot"], ["faster", "faster"])
        # 32 MB fit into the caches of the second and third GPU, not of the first, so their order depends on the size.
        done = driver.run("compare", *paths, "--col", "device", "--in", "roof", "--json", found)
        rows = {row["name"]: row["candidates"] for row in json.loads(pathlib.Path(found).read_text())["rows"]}
        large = rows["device/unscale/N=67108864/dtype=f16/l2=hot/tensors=1"]
        self.assertEqual([cell["verdict"] for cell in large], ["same", "same"])
        self.assertEqual(rows["device/copy/N=4194304/l2=hot"][0]["verdict"], "faster")
        real = self.file("real.json", imaginary_gpus.record("Imaginary One") | {"synthetic": False})
        self.refused("compare", real, paths[1], "--col", "device", says=["is synthetic", "synthetic ones only"])

    def test_between_gpus_the_hosts_rows_are_counted_apart(self):
        paths = [self.file(f"{index}.json", imaginary_gpus.record(gpu)) for index, gpu in enumerate(imaginary_gpus.GPUS)]
        done = driver.run("compare", *paths, "--col", "device")
        self.assertRegex(driver.last_line(done), r"^COMPARED \d+ of \d+ pairs compared: GPU: \d+ faster.*; host: \d+ ")
        self.assertIn("note: the machines differ: rows of the GPU", done.stdout)
        page = self.path("page.html")
        self.assertEqual(driver.run("report", *paths, "-o", page).returncode, 0)
        text = pathlib.Path(page).read_text(encoding="utf-8")
        self.assertRegex(text, r"<b>GPU</b>: <span[^>]*>✓ \d+ faster")
        self.assertIn("<b>host</b>: ", text)
        self.assertRegex(text, r"mean of the ratios: GPU: [^<]*device\.exec_ns × [^<]*; host: ")
        for path in paths[1:]:  # one machine has one total
            done = driver.run("compare", path, path, "--filter", "device/*")
            self.assertNotIn("GPU: ", driver.last_line(done))

    def test_a_slower_machine_is_the_same_in_its_own_null_calls(self):
        def with_null_calls(made, ns):
            for row in made["measurements"]:
                row["null_calls"] = {"center": row["center"] / ns, "interval": None}
                for process in row["processes"]:
                    process["null_call_ns"] = ns
            return made

        fast, slow = with_null_calls(whole_record(1), 2), with_null_calls(whole_record(2, **{f"case{i}": 2 for i in range(12)}), 4)
        self.assertRegex(driver.last_line(self.compare(fast, slow)), ": 12 slower; ")
        done = self.compare(fast, slow, "--in", "null_calls")
        self.assertRegex(driver.last_line(done), ": 12 same; ")
        self.assertIn("in null calls, lower is better", done.stdout)

    def test_machines_are_compared_by_their_share_of_the_roof(self):
        def with_bytes(made):
            for row in made["measurements"]:
                row["bytes"] = 4000
            copy = json.loads(json.dumps(made["measurements"][0]))
            return made | {"measurements": made["measurements"] + [copy | {"case": "device/copy"}]}

        done = self.compare(with_bytes(whole_record(1)), with_bytes(whole_record(2, **{f"case{i}": 2 for i in range(12)})), "--in", "roof")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("in shares of the roof, higher is better", done.stdout)
        self.assertIn("13 same", driver.last_line(done))
        without = self.compare(whole_record(1), whole_record(2), "--in", "roof")
        self.assertEqual(without.returncode, 5, without.stdout)

    def test_cases_of_one_side_are_shown(self):
        before, after = whole_record(1), whole_record(2)
        before["measurements"].pop(0)
        after["measurements"].pop(5)
        done = self.compare(before, after)
        self.assertRegex(driver.last_line(done), r"^COMPARED 10 of 12 pairs compared: 10 same, 1 missing, 1 new; ")

    def test_nothing_in_common_is_no_success(self):
        done = self.compare(record([measurement("a", 1)]), record([measurement("b", 1)]))
        self.stopped(done, 5, "NOTHING COMPARED 0 of 2 pairs")

    def test_what_cannot_be_compared_is_refused(self):
        good, other = whole_record(1), whole_record(2)
        self.stopped(self.compare(good, other | {"synthetic": True}), 2, "after is synthetic and before is real")
        debug = other | {"meta": other["meta"] | {"build_type": "Debug"}}
        self.stopped(self.compare(good, debug), 2, "Debug build")
        elsewhere = other | {"environment": other["environment"] | {"cpu": "another"}}
        self.stopped(self.compare(good, elsewhere), 2, "the machines differ", "--across-machines")
        self.stopped(self.compare(good, elsewhere, "--across-machines"), 0, "note: machine differs")
        self.stopped(self.compare(good, "{}"), 2, "is not a record of `assay bench`")
        self.stopped(self.compare(good, good, "--margin", "2"), 2, "'2' is not a margin; write 2% or 0.02")


class Gate(CompareTest):
    def test_passes_the_same_program(self):
        self.stopped(self.gate(whole_record(1), whole_record(2)), 0, "PASS 12 of 12 pairs compared: 12 same")

    def test_fails_on_a_planted_slowdown(self):
        path = self.path("gate.json")
        done = self.gate(whole_record(1), whole_record(2, case3=1.05), THRESHOLDS, "--json", path)
        self.stopped(done, 1, "fails: mine dispatch/case3 (host.dispatch_ns): slower, ratio 1.0")
        self.assertTrue(driver.last_line(done).startswith("FAIL "))
        written = json.loads(pathlib.Path(path).read_text())
        self.assertEqual((written["exit"], written["gate"], written["line"]), (1, True, driver.last_line(done)))
        self.assertEqual([finding["kind"] for finding in written["findings"]], ["regression"])

    def test_two_builds_of_one_record_are_gated(self):
        def both(factor):
            made = record([measurement(case, 100 * (factor if case == CASES[3] and subject == "mine" else 1), subject=subject)
                           for case in CASES for subject in ("mine", "mine@other")])
            made["subjects"][1] |= {"subject": "mine", "build": BUILD}
            return self.file("both.json", made)

        thresholds = self.file("gate.toml", THRESHOLDS)
        self.stopped(driver.run("gate", both(1), "--thresholds", thresholds), 0, "PASS 12 of 12")
        self.stopped(driver.run("gate", both(1.05), "--thresholds", thresholds), 1, "fails: mine dispatch/case3")
        self.refused("gate", "--thresholds", thresholds, says=["name --baseline and --candidate"])
        self.refused("gate", both(1), "--baseline", both(1), "--thresholds", thresholds, says=["or one RECORD"])
        self.refused("gate", "--candidate", both(1), "--thresholds", thresholds, says=["--baseline is missing"])

    def test_a_case_may_have_a_margin_of_its_own(self):
        wide = THRESHOLDS + '[[case]]\nname = "dispatch/case3"\nmargin = "10 %"\n'
        self.stopped(self.gate(whole_record(1), whole_record(2, case3=1.05), wide), 0, "same, margin 10 %")

    def test_a_win_fails_where_it_must_be_accepted(self):
        strict = THRESHOLDS.replace('"]', '", "win"]')
        self.stopped(self.gate(whole_record(1), whole_record(2, case3=0.9)), 0, "seen: mine dispatch/case3")
        self.stopped(self.gate(whole_record(1), whole_record(2, case3=0.9), strict), 1, "fails: mine dispatch/case3")

    def test_what_is_undecided_has_an_exit_code_of_its_own(self):
        noisy = [record([measurement("a", 100, seed=seed)]) for seed in (1, 2)]
        for each in noisy:
            for i, process in enumerate(each["measurements"][0]["processes"]):
                process["median"] = 100 + 3 * i
        strict = THRESHOLDS.replace('"]', '", "undecided"]')
        self.stopped(self.gate(*noisy), 0, "seen: mine a (host.dispatch_ns): undecided")
        self.stopped(self.gate(*noisy, strict), 4, "UNDECIDED 1 of 1 pairs")

    def test_exact_counts_need_one_process(self):
        def counted(count, seconds=1):
            row = measurement("a", 1, processes=1, exact=True, quantity="instr.count", unit="instructions")
            row["center"] = row["processes"][0]["median"] = count
            return record([row], seconds=seconds)

        self.stopped(self.gate(counted(1000), counted(1000, 2)), 0)
        self.stopped(self.gate(counted(1000), counted(1000)), 2, "are the same run: nothing is compared")
        self.stopped(self.gate(counted(1000), counted(1001)), 1, "1 more", "fails: mine a (instr.count): more, ratio 1.0010")

    def test_what_is_missing_or_wrong_fails(self):
        fewer = whole_record(2)
        fewer["measurements"].pop()
        self.stopped(self.gate(whole_record(1), fewer), 1, "1 missing")
        self.stopped(self.gate(whole_record(1), record([])), 1, "12 missing")
        self.stopped(self.gate(whole_record(1), record([measurement("else", 1)])), 1, "12 missing, 1 new")
        fewer["measurements"].append(without_time(CASES[-1], "simulated"))
        self.stopped(self.gate(whole_record(1), fewer), 1, "missing, it cannot")
        lax = THRESHOLDS + 'allow_missing = ["dispatch/*"]\n'
        self.stopped(self.gate(whole_record(1), fewer, lax), 0, "seen: mine dispatch/case11", "missing, it cannot")
        fewer["measurements"][-1] = without_time(CASES[-1], "failed")
        self.stopped(self.gate(whole_record(1), fewer, lax), 1, "failed: it cannot")
        self.stopped(self.gate(whole_record(1), record([measurement("else", 1)]), lax), 5, "NOTHING COMPARED")
        self.stopped(self.gate(fewer, whole_record(1), lax), 1, "failed in the baseline, so nothing is compared: it cannot")

    def test_a_baseline_without_numbers_is_refused(self):
        self.stopped(self.gate(record([]), whole_record(1)), 2, "has no numbers")
        self.stopped(self.gate(record([without_time("a")]), record([without_time("a")])), 2, "has no numbers")

    def test_thresholds_that_say_nothing_are_refused(self):
        same = whole_record(1), whole_record(2)
        self.stopped(self.gate(*same, "# nothing"), 2, "'schema' is missing")
        self.stopped(self.gate(*same, THRESHOLDS + "margn = 1"), 2, "gate.toml:4:1: unknown key 'margn'")
        self.stopped(self.gate(*same, THRESHOLDS.replace('"regression"', '"win"')), 2, "must contain \"regression\"")
        self.stopped(self.gate(*same, THRESHOLDS + "allow_missing = ['dispach/*']"), 2,
                     "no measurement is called 'dispach/*'")
        rule = '[[case]]\nname = "dispach/*"\nmargin = 0.05'
        self.stopped(self.gate(*same, THRESHOLDS + rule), 2, "gate.toml:4: no measurement is called 'dispach/*'")

    def test_weak_records_are_refused(self):
        good = whole_record(1)
        for change, words in (({"quick": True}, "is a quick run"), ({"interrupted": True}, "was interrupted")):
            weak = good | {"meta": good["meta"] | change}
            self.stopped(self.gate(good, weak), 2, words)
            self.stopped(self.gate(weak, good), 2, words)
        six = record([measurement(case, 100, processes=6) for case in CASES])
        self.stopped(self.gate(good, six), 2, "has 6 processes", "at least 7")
        floor = good | {"noise_floor": {"relative": 0.05, "pairs": []}}
        self.stopped(self.gate(good, floor), 2, "margin of 2 %", "noise floor of 5 %")


if __name__ == "__main__":
    driver.main()
