#!/usr/bin/env python3
"""Tests of `assay fleet` on imaginary fleets with planted faults. Usage: fleet_test.py <folder of the programs>."""

import json
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402
import imaginary_fleet  # noqa: E402
from imaginary_fleet import is_memory, is_roof, of_gpu  # noqa: E402

FAKE_NVML = driver.BIN.parent / "fake_nvml"
LIKE = "like_the_others"


def slow(which, by=1.06):
    return lambda row, process: by if which(row) else 1.0


def everything(_):
    return True


def with_clock(mhz, why):
    def change(record):
        for row in record["measurements"]:
            for process in row["processes"]:
                process["sm_clock_mhz"], process["throttled_by"] = mhz, why
    return change


class ImaginaryFleet(driver.ProgramTest):
    def setUp(self):
        super().setUp()
        self.made = imaginary_fleet.Fleet(21)

    def with_one(self, count=40, at=5, **how):
        return self.made.benches(at) + [self.made.bench(**how)] + self.made.benches(count - at - 1)

    def fleet(self, *places, exit_code=0):
        done = driver.run("fleet", *map(str, places), "--json", self.path("f.json"))
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        self.found = self.record("f.json")
        self.assertEqual((self.found["exit"], self.found["line"]), (exit_code, driver.last_line(done)))
        self.text = done.stdout
        return {gpu["gpu"]: gpu for gpu in self.found["gpus"]}

    def of(self, records, *words, exit_code=0):
        self.count = getattr(self, "count", 0) + 1
        return self.fleet(imaginary_fleet.write(self.folder / f"{self.count}.ndjson", records), *words, exit_code=exit_code)

    def only(self, gpus, verdict, index=5):
        """The GPU that alone has this verdict; all others are like the others."""
        others = {name: gpu["verdict"] for name, gpu in gpus.items() if gpu["verdict"] != LIKE}
        self.assertEqual(others, {f"GPU-{index:08x}": verdict}, self.text)
        return gpus[f"GPU-{index:08x}"]


class Costs(ImaginaryFleet):
    def test_a_healthy_fleet_with_far_memory_nodes_is_like_itself(self):
        self.made = imaginary_fleet.Fleet(4, far=0.12)
        gpus = self.of(self.made.benches(48))
        self.assertEqual({gpu["verdict"] for gpu in gpus.values()}, {LIKE})
        self.assertTrue(self.found["line"].startswith("PASS 48 like the others; 48 GPUs"), self.found["line"])
        self.assertIn("imaginary numbers", self.text)
        self.assertTrue(self.found["synthetic"])

    def test_slow_memory_is_told_from_a_slow_gpu(self):
        odd = self.only(self.of(self.with_one(factor=slow(is_memory)), exit_code=1), "odd_one_out")
        self.assertTrue(odd["reasons"][0].startswith("its memory is slow, while launches, short kernels and clock are like the others'"))
        self.assertAlmostEqual(odd["families"]["memory"], 1.06, delta=0.015)
        self.assertAlmostEqual(odd["families"]["short kernels"], 1, delta=0.02)
        odd = self.only(self.of(self.with_one(factor=slow(everything, 1.08)), exit_code=1), "odd_one_out", 45)
        self.assertTrue(odd["reasons"][0].startswith("all of it is slow at a usual clock: memory, short kernels"), odd["reasons"])

    def test_one_slow_quantity_is_named_in_units_of_its_own_floor(self):
        odd = self.only(self.of(self.with_one(factor=slow(is_roof)), exit_code=1), "odd_one_out")
        [one] = [one for one in odd["differences"] if one["kind"] == "quantity"]
        self.assertEqual(one["name"], "device/copy/N=67108864/l2=hot")
        self.assertAlmostEqual(one["ratio"], 1.06, delta=0.015)
        self.assertRegex(self.text, r"device/copy/N=67108864/l2=hot \d\.\d % slower, \d+ times what GPUs differ by")

    def test_floors_of_the_own_gpu_are_shown(self):
        self.made = imaginary_fleet.Fleet(5, keep=lambda row: row["case"] in ("device/event_pair", *imaginary_fleet.PROFILE))
        odd = self.only(self.of(self.with_one(factor=slow(lambda row: is_roof(row) and row["axes"]["l2"] == "hot", 1.1)), exit_code=1), "odd_one_out")
        one = next(one for one in odd["differences"] if one["name"] == "device/copy/N=67108864/l2=hot")
        self.assertEqual(one["floor"], "event pairs")
        self.assertGreater(one["floors"], 1.05 * one["others_floors"])

    def test_a_faster_gpu_is_odd_as_well(self):
        odd = self.only(self.of(self.with_one(factor=slow(is_memory, 0.93)), exit_code=1), "odd_one_out")
        self.assertIn("faster than the others: memory", odd["reasons"][0])

    def test_a_slow_way_to_the_host_is_told_from_the_gpu(self):
        odd = self.only(self.of(self.with_one(factor=slow(lambda row: row["case"] in imaginary_fleet.HOST, 1.3)), exit_code=1), "odd_one_out")
        self.assertIn("its way to the host is slow", odd["reasons"][0])

    def test_a_low_clock_is_named_with_what_limits_it(self):
        change = with_clock(1755, "heat")
        odd = self.only(self.of(self.with_one(change=change, factor=slow(everything, 1.1)), exit_code=1), "odd_one_out")
        self.assertTrue(odd["reasons"][0].startswith("its clock is low: 1755 MHz, the others 1980, limited by heat; slow with it: memory"), odd["reasons"])

    def test_a_low_clock_that_nothing_limits_is_misconfigured(self):
        odd = self.only(self.of(self.with_one(change=with_clock(1410, None), factor=slow(everything, 1.3)), exit_code=1), "misconfigured")
        self.assertIn("1410 MHz, the others 1980, and the driver names nothing that limits it", odd["reasons"][0])

    def test_a_clock_that_falls_during_the_bench_is_found(self):
        def change(record):
            for row in record["measurements"]:
                for process in row["processes"][4:]:
                    process["sm_clock_mhz"], process["throttled_by"] = 1755, "power"
        odd = self.only(self.of(self.with_one(change=change), exit_code=1), "odd_one_out")
        self.assertIn(("drift", "clock"), {(one["kind"], one["family"]) for one in odd["differences"]})

    def test_a_gpu_that_becomes_slow_during_the_bench_is_found(self):
        odd = self.only(self.of(self.with_one(factor=lambda row, process: 1.1 if process > 3 else 1.0), exit_code=1), "odd_one_out")
        self.assertIn("drift", {one["kind"] for one in odd["differences"]})
        self.assertIn("in the second half of the bench", self.text)

    def test_less_than_the_margin_is_no_difference(self):
        records = self.with_one(factor=slow(is_roof, 1.04))
        self.only(self.of(records, exit_code=1), "odd_one_out")
        gpus = self.of(records, "--margin", "6%")
        self.assertEqual({gpu["verdict"] for gpu in gpus.values()}, {LIKE})

    def test_several_odd_ones_do_not_hide_each_other(self):
        gpus = self.of(self.made.benches(30) + self.made.benches(2, factor=slow(is_memory)) + self.made.benches(30), exit_code=1)
        self.assertEqual([name for name, gpu in gpus.items() if gpu["verdict"] != LIKE], ["GPU-0000001e", "GPU-0000001f"])

    def test_few_gpus_and_one_decide_nothing(self):
        for count in (1, 4):
            gpus = self.of(self.made.benches(count), exit_code=4)
            self.assertEqual({gpu["verdict"] for gpu in gpus.values()}, {"undecided"})
            self.assertIn("too few GPUs to compare with", self.text)

    def test_unlike_models_are_judged_apart(self):
        other = {"name": "NVIDIA H200"}
        gpus = self.of(self.made.benches(10) + self.made.benches(10, factor=slow(is_memory, 0.7), device=other))
        self.assertEqual({gpu["verdict"] for gpu in gpus.values()}, {LIKE})
        self.assertEqual(len(self.found["groups"]), 2)

    def test_another_build_of_assay_is_not_compared(self):
        def change(record):
            record["meta"]["revision"] = "0000deadbeef"
        gpus = self.of(self.with_one(change=change, factor=slow(everything, 2.0)), exit_code=4)
        self.only(gpus, "undecided")

    def test_missing_quantities_are_undecided_and_hide_no_fault(self):
        def change(record):
            record["measurements"] = [row for row in record["measurements"] if row["case"] in ("device/memset", "launch/kernel")]
        missing = self.only(self.of(self.with_one(change=change), exit_code=4), "undecided")
        self.assertRegex(missing["reasons"][0], r"\d+ of \d+ quantities are missing: device/")
        self.only(self.of(self.with_one(change=change, factor=slow(is_memory, 1.1)), exit_code=1), "odd_one_out", 45)

    def test_several_records_of_a_gpu_are_one(self):
        records = self.made.benches(20)
        again = imaginary_fleet.Fleet(77).benches(20)
        gpus = self.of(records + again + records)
        self.assertEqual({gpu["benches"] for gpu in gpus.values()}, {2})


class Settings(ImaginaryFleet):
    def test_what_differs_from_most_neighbours_is_misconfigured(self):
        def with_driver(record):
            record["environment"]["driver"] = "an older one"
        for how, words in ((({"device": {"ecc": False}}), "ECC is off; that of 39 of 39 neighbours is on"), ({"device": {"mig": True}}, "MIG is on"),
                           ({"device": {"application_sm_clock_mhz": 1410}}, "application SM clock is 1410 MHz; that of 39 of 39 neighbours is 1980 MHz"),
                           ({"device": {"most_sm_clock_mhz": 1755}}, "largest SM clock is 1755 MHz"), ({"device": {"power_limit_w": 350}}, "power limit is 350 W"),
                           ({"change": with_driver}, "driver is an older one; that of 39 of 39 neighbours is 580.159.04")):
            self.made = imaginary_fleet.Fleet(21)
            one = self.only(self.of(self.with_one(**how), exit_code=1), "misconfigured")
            self.assertIn(words, one["reasons"][0])

    def test_a_misconfigured_gpu_also_says_what_is_slow(self):
        one = self.only(self.of(self.with_one(device={"ecc": False}, factor=slow(is_memory, 0.9)), exit_code=1), "misconfigured")
        self.assertIn("faster than the others", " ".join(one["reasons"]))

    def test_two_halves_have_no_usual_setting(self):
        gpus = self.of(self.made.benches(20) + self.made.benches(20, device={"persistence": False}))
        self.assertEqual({gpu["verdict"] for gpu in gpus.values()}, {LIKE})
        self.assertIn("no usual persistence among 40 GPUs", self.text)


class Bits(ImaginaryFleet):
    def run_of(self, *mistakes, words=()):
        done = driver.run("run", *driver.AMP, *self.mistaken(*mistakes), *driver.ONE_CONTRACT, "--json", self.path("r.json"), "--shrink", "0", *words)
        self.assertIn(done.returncode, (0, 1, 4), done.stdout + done.stderr)
        record = self.record("r.json")
        for subject in record["subjects"]:  # GPUs run the same program
            subject["subject"] = "cuda"
        return record

    def test_one_wrong_case_is_found_with_how_often_it_was_wrong(self):
        good, bad = self.run_of(), self.run_of("grows late")
        runs = [of_gpu(good, index) for index in range(40)]
        runs[5] = of_gpu(bad, 5)
        again = of_gpu(good, 5) | {"started": "2026-01-02T00:00:00Z"}
        one = self.only(self.of(self.made.benches(40) + runs + [again], exit_code=1), "wrong_bits")
        red = [case["id"] for subject in bad["subjects"] for case in subject["cases"] if case["outcome"] == "fail"]
        self.assertEqual(len(one["wrong"]), len(red))
        for wrong in one["wrong"]:
            self.assertEqual((wrong["times"], wrong["wrong"]), (1, 1))
        self.assertIn("amp/update_scale/", one["reasons"][0])
        self.assertIn("(1 of 1 time)", one["reasons"][0])
        self.assertEqual(one["label"], "node0 gpu 0")

    def test_repetitions_of_a_run_are_counted(self):
        bad = self.run_of("grows late", words=("--repeat", "3"))
        for case in (case for subject in bad["subjects"] for case in subject["cases"]):
            if case["outcome"] == "fail":  # as of a GPU that is wrong once
                case["outcome"] = "flaky"
                case["failure"]["sentence"] = case["failure"]["sentence"].replace("0 of 3 runs passed", "2 of 3 runs passed")
        bad = driver.recounted(bad)
        for subject in bad["subjects"]:
            subject["verdict"], subject["exit"] = "FAILS", 1
        good = self.run_of()
        runs = [of_gpu(good, index) for index in range(39)] + [of_gpu(bad, 39)]
        one = self.only(self.of(self.made.benches(40) + runs, exit_code=1), "wrong_bits", 39)
        self.assertEqual({(wrong["times"], wrong["wrong"]) for wrong in one["wrong"]}, {(3, 1)})
        self.assertIn("(1 of 3 times)", one["reasons"][0])

    def test_what_fails_everywhere_is_the_runtime(self):
        bad = self.run_of("grows late")
        gpus = self.of(self.made.benches(20) + [of_gpu(bad, index) for index in range(20)])
        self.assertEqual({gpu["verdict"] for gpu in gpus.values()}, {LIKE})
        self.assertIn("on (nearly) all GPUs, which is the runtime and no GPU", self.text)

    def test_two_gpus_and_no_bench_are_enough_for_wrong_bits(self):
        gpus = self.of([of_gpu(self.run_of("grows late"), 0), of_gpu(self.run_of(), 1)], exit_code=1)
        self.assertEqual([gpu["verdict"] for gpu in gpus.values()], ["wrong_bits", "undecided"])

    def test_a_loop_of_the_bench_that_leaves_other_bits_is_found(self):
        def change(record):
            row = next(row for row in record["measurements"] if is_roof(row))
            del row["processes"][4:]
            row |= {"status": "failed", "center": None, "reason": "after 1000 iterations what is left on the device has the CRC-32 7, not 8"}
        one = self.only(self.of(self.with_one(change=change), exit_code=1), "wrong_bits")
        self.assertIn("cuda bench device/copy/N=67108864/l2=hot (1 of 5 times)", one["reasons"][0])

    def test_a_loop_that_dies_on_one_gpu_makes_it_odd(self):
        def change(record):
            record["measurements"][3] |= {"status": "failed", "center": None, "reason": "the worker has ended", "processes": []}
        one = self.only(self.of(self.with_one(change=change), exit_code=1), "odd_one_out")
        self.assertIn("no answer, as no other GPU: cuda bench", one["reasons"][0])

    def test_a_wrong_checksum_of_a_process_is_found(self):
        def change(record):
            record["measurements"][3]["processes"][2]["checksum_ok"] = False
        one = self.only(self.of(self.with_one(change=change), exit_code=1), "wrong_bits")
        self.assertIn("(1 of 7 times)", one["reasons"][0])

    def test_a_subject_may_be_elsewhere_on_each_machine(self):
        def change(record):
            record["subjects"][0]["subject"] = f"/opt/{self.made.count}/assay-cuda"
        self.only(self.of([self.made.bench(change=change, factor=slow(is_memory) if index == 5 else lambda row, process: 1.0) for index in range(40)],
                          exit_code=1), "odd_one_out")

    def test_a_crash_on_one_gpu_makes_it_odd(self):
        bad = self.run_of("grows late")
        for case in (case for subject in bad["subjects"] for case in subject["cases"]):
            case["outcome"] = "crash" if case["outcome"] == "fail" else case["outcome"]
        good = self.run_of()
        runs = [of_gpu(good, index) for index in range(39)] + [of_gpu(driver.recounted(bad), 39)]
        one = self.only(self.of(self.made.benches(40) + runs, exit_code=1), "odd_one_out", 39)
        self.assertIn("no answer, as no other GPU: mistaken", one["reasons"][0])

    def test_a_gpu_whose_bits_are_unknown_is_undecided(self):
        good = self.run_of()
        one = self.only(self.of(self.made.benches(40) + [of_gpu(good, index) for index in range(39)], exit_code=4), "undecided", 39)
        self.assertEqual(one["reasons"], ["no record of a run: its bits are unknown"])


class Records(ImaginaryFleet):
    def nameless(self, count):
        records = self.made.benches(count)
        for record in records:
            record["environment"]["devices"] = [{"name": "NVIDIA H100 80GB HBM3"}]
        return records

    def test_gpus_without_a_uuid_are_named_by_their_files_or_by_the_user(self):
        (self.folder / "all" / "n3").mkdir(parents=True)
        for index, record in enumerate(self.nameless(6)):
            name = "all/n3/bench.json" if index == 3 else f"all/gpu{index}.bench.json"
            self.write(name, json.dumps(record))
        self.assertEqual(set(self.fleet(self.path("all"))), {"gpu0", "gpu1", "gpu2", "n3", "gpu4", "gpu5"})
        self.assertIn("6 known by the names of their files only", self.text)
        self.assertIn("mine", self.fleet(self.path("all"), "--gpu", "*/gpu4*=mine"))
        (self.folder / "all" / "n4").mkdir()
        self.write("all/n4/gpu0.json", json.dumps(self.nameless(1)[0]))
        self.assertEqual(set(self.fleet(self.path("all"))), {"all/gpu0", "all/gpu1", "all/gpu2", "all/n3", "all/gpu4", "all/gpu5", "n4/gpu0"})
        for wrong in ("mine", "=mine", "x="):
            self.assertIn("write FILES=NAME", driver.run("fleet", self.path("all"), "--gpu", wrong).stderr)

    def test_an_archive_is_read_with_its_labels(self):
        records = self.nameless(6)
        for index, record in enumerate(records):
            done = driver.run("archive", "add", "-q", self.path("a.db"), self.write("r.json", json.dumps(record)), "--gpu", f"left{index}")
            if "without SQLite" in done.stderr:
                self.skipTest("built without SQLite")
        self.assertEqual(set(self.fleet(self.path("a.db"))), {f"left{index}" for index in range(6)})

    def test_broken_files_are_refused_and_the_others_judged(self):
        (self.folder / "all").mkdir()
        for index, record in enumerate(self.made.benches(8)):
            self.write(f"all/{index}.json", json.dumps(record))
        self.write("all/notes.json", '{"mine": 1}')
        self.fleet(self.path("all"))
        self.assertIn("1 other file in the folders left out", self.text)
        half = self.write("all/half.json", json.dumps(self.made.bench())[:3000])
        done = driver.run("fleet", self.path("all"))
        self.assertEqual(done.returncode, 2)
        self.assertIn(half, done.stderr)
        self.assertIn("INCOMPLETE 8 like the others; 8 GPUs; 1 file refused", done.stdout)
        self.assertEqual(driver.run("fleet", self.write("bad.json", "{}")).returncode, 2)
        self.assertEqual(driver.run("fleet", self.path("none")).returncode, 2)

    def test_a_gpu_without_a_run_is_shown_with_the_name_of_its_file(self):
        (self.folder / "nodes").mkdir()
        for index, record in enumerate(self.made.benches(8)):
            self.write(f"nodes/node17-gpu{index}.bench.json", json.dumps(record))
        gpus = self.fleet(self.path("nodes"))
        self.assertEqual({gpu["label"] for gpu in gpus.values()}, {f"node17-gpu{index}" for index in range(8)})
        self.assertIn("(node17-gpu3)", driver.run("fleet", self.path("nodes"), "--all").stdout)

    def test_nothing_to_compare_and_wrong_usage(self):
        (self.folder / "empty").mkdir()
        self.assertEqual(driver.run("fleet", self.path("empty")).returncode, 5)
        for words in ([], [self.path("empty"), "--alpha", "2"], [self.path("empty"), "--margin", "x"]):
            self.assertEqual(driver.run("fleet", *words).returncode, 2)
        done = driver.run("fleet", self.write("one.json", json.dumps(self.made.bench())), str(imaginary_fleet.MEASURED))
        self.assertEqual(done.returncode, 2)
        self.assertIn("imaginary and real numbers are not compared", done.stderr)

    @unittest.skipUnless((FAKE_NVML / "libnvidia-ml.so.1").exists(), "the library that stands in for NVIDIA's was not built")
    def test_a_run_knows_which_gpu_it_used(self):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(FAKE_NVML), "CUDA_VISIBLE_DEVICES": "1"}
        done = driver.run("run", *driver.AMP, "--json", self.path("r.json"), env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        first, second = self.record()["environment"]["devices"]
        self.assertEqual((first["uuid"], first["used"], first["ecc"]), ("GPU-11111111", False, True))
        self.assertEqual((second["uuid"], second["used"]), ("GPU-22222222", True))
        self.assertEqual(set(self.fleet(self.path("r.json"), exit_code=4)), {"GPU-22222222"})


class Output(ImaginaryFleet):
    def test_the_page_opens_with_the_odd_ones_and_says_that_it_is_imaginary(self):
        self.of(self.with_one(factor=slow(is_memory)), "--html", self.path("f.html"), exit_code=1)
        page = pathlib.Path(self.path("f.html")).read_text(encoding="utf-8")
        self.assertIn("Synthetic: this page has numbers that no machine measured", page)
        self.assertLess(page.index("its memory is slow"), page.index("Where all GPUs are"))
        self.assertEqual(len(re.findall(r"<title>GPU-[0-9a-f]{8}: (?:like|odd)", page)), 40)
        self.assertNotIn("<script", page)

    def test_names_in_records_are_harmless(self):
        bad = "GPU-<b>\n\"x\\"
        self.of(self.with_one(device={"uuid": bad}), "--html", self.path("f.html"), "--metrics", self.path("f.prom"))
        self.assertNotIn("<b>", pathlib.Path(self.path("f.html")).read_text(encoding="utf-8"))
        self.assertEqual(len(self.metrics()["assay_fleet_wrong_cases"]), 40)

    def metrics(self):
        """By a parser of the format as its grammar has it."""
        found, types = {}, {}
        text = pathlib.Path(self.path("f.prom")).read_text(encoding="utf-8")
        self.assertTrue(text.endswith("\n# EOF\n"))
        for line in text.splitlines()[:-1]:
            if declared := re.fullmatch(r"# TYPE (\S+) (\S+)", line):
                types[declared[1]] = declared[2]
                continue
            if line.startswith("# HELP "):
                continue
            sample = re.fullmatch(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)', line)
            self.assertIsNotNone(sample, line)
            self.assertEqual(types[sample[1]], "gauge")
            labels = dict(re.findall(r'([a-z]+)="((?:[^"\\]|\\.)*)"', sample[2] or ""))
            found.setdefault(sample[1], []).append((labels, float(sample[3])))
        return found

    def test_metrics_have_each_verdict_and_agree_with_the_json(self):
        gpus = self.of(self.with_one(factor=slow(is_memory)), "--metrics", self.path("f.prom"), exit_code=1)
        metrics = self.metrics()
        self.assertEqual(metrics["assay_fleet_synthetic"], [({}, 1.0)])
        self.assertEqual({labels["verdict"]: value for labels, value in metrics["assay_fleet_gpus"]}, self.found["counts"])
        self.assertEqual({labels["gpu"]: labels["verdict"] for labels, value in metrics["assay_fleet_verdict"] if value == 1},
                         {name: gpu["verdict"] for name, gpu in gpus.items()})
        ratios = {labels["gpu"]: value for labels, value in metrics["assay_fleet_time_ratio"] if labels["family"] == "memory"}
        self.assertAlmostEqual(ratios["GPU-00000005"], gpus["GPU-00000005"]["families"]["memory"], places=4)
        try:
            from prometheus_client.openmetrics import parser
        except ImportError:
            return
        families = list(parser.text_string_to_metric_families(pathlib.Path(self.path("f.prom")).read_text(encoding="utf-8")))
        self.assertEqual({family.name for family in families}, set(metrics))


if __name__ == "__main__":
    driver.main()
