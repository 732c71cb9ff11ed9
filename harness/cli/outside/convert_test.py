#!/usr/bin/env python3
"""Tests assay convert: formats of other tools, written and read."""

import json
import pathlib

import driver


def google(times, program="/home/me/my_bench", **more):
    """The output of a program with one benchmark, with one repetition per time."""
    entries = [{"name": "BM_cast/n:64", "run_name": "BM_cast/n:64", "run_type": "iteration", "repetitions": len(times),
                "repetition_index": i, "threads": 1, "iterations": 1000, "real_time": time, "cpu_time": time,
                "time_unit": "us"} | more for i, time in enumerate(times)]
    return json.dumps({"context": {"date": "2026-11-21T11:00:00+00:00", "host_name": "secret", "executable": program,
                                   "num_cpus": 2, "mhz_per_cpu": 2400, "cpu_scaling_enabled": False,
                                   "library_build_type": "release"},
                       "benchmarks": entries})


def named(name, kind, value):
    return {"name": name, "type": kind, "value": str(value)}


def nvbench(seconds):
    """The output of a program with one benchmark at two sizes."""
    states = [{"device": 0, "axis_values": [named("n", "int64", n), named("T", "string", "F16")],
               "summaries": [{"tag": "nv/cold/sample_size", "data": [named("value", "int64", 100)]},
                             {"tag": "nv/cold/time/gpu/mean", "data": [named("value", "float64", 2 * seconds)]},
                             {"tag": "nv/cold/time/gpu/median", "data": [named("value", "float64", n * seconds)]},
                             {"tag": "nv/json/bin:nv/cold/sample_times", "data": [named("filename", "string", "x.bin"), named("size", "int64", 9)]}],
               "is_skipped": False} for n in (1, 64)]
    return json.dumps({"meta": {"argv": ["/home/secret/my_nvbench", "--json", "x"], "version": {"nvbench": {"string": "0.2.0"}}},
                       "devices": [{"id": 0, "name": "GPU A", "ecc_state": True}],
                       "benchmarks": [{"name": "copy", "axes": None, "states": states}, {"name": "none", "states": None}]})


class Convert(driver.ProgramTest):
    def processes(self, name, center, count=10):
        """Files of this many processes, imported into one record."""
        files = [self.write(f"{name}{i}.json", google([center * (1 + i / 1000), center])) for i in range(count)]
        path = self.path(f"{name}.json")
        done = driver.run("convert", "--to", "assay", "-o", path, *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def test_what_google_benchmark_wrote_is_compared_and_gated(self):
        before, after, same = self.processes("before", 100), self.processes("after", 110), self.processes("same", 100.01)
        done = driver.run("compare", before, after)
        self.assertRegex(driver.last_line(done), r"^COMPARED 2 of 2 pairs compared: 2 slower")
        self.assertIn("before: imported from Google Benchmark: nothing checked that its loops did their work", done.stdout)
        self.assertIn("BM_cast/n=64", done.stdout)
        self.assertNotIn("secret", pathlib.Path(before).read_text())
        thresholds = self.write("gate.toml", 'schema = 1\nmargin = "2 %"\nfail_on = ["regression"]\n')
        for candidate, code in ((after, 1), (same, 0)):
            done = driver.run("gate", "--baseline", before, "--candidate", candidate, "--thresholds", thresholds)
            self.assertEqual(done.returncode, code, done.stdout)

    def test_what_nvbench_wrote_is_compared(self):
        paths = []
        for name, seconds in (("before", 1e-5), ("after", 1.1e-5)):
            files = [self.write(f"{name}{i}.json", nvbench(seconds * (1 + i / 1000))) for i in range(10)]
            paths.append(self.path(f"{name}.json"))
            done = driver.run("convert", "--to", "assay", "-o", paths[-1], *files)
            self.assertEqual(done.returncode, 0, done.stderr)
        done = driver.run("compare", *paths)
        self.assertRegex(driver.last_line(done), r"^COMPARED 2 of 2 pairs compared: 2 slower")
        self.assertIn("before: imported from NVBench: nothing checked that its loops did their work", done.stdout)
        self.assertIn("copy/T=F16/n=64", done.stdout)
        self.assertNotIn("secret", pathlib.Path(paths[0]).read_text())
        record = json.loads(pathlib.Path(paths[0]).read_text())
        self.assertEqual([device["name"] for device in record["environment"]["devices"]], ["GPU A"])

    def test_repetitions_of_one_process_are_no_processes(self):
        path = self.path("one.json")
        driver.run("convert", "--to", "assay", "-o", path, self.write("g.json", google([1, 2, 3, 4, 5, 6, 7, 8])))
        measured = json.loads(pathlib.Path(path).read_text())["measurements"][0]
        self.assertEqual(len(measured["processes"]), 1)
        self.assertEqual(len(measured["processes"][0]["samples"]), 8)
        thresholds = self.write("gate.toml", 'schema = 1\nmargin = "2 %"\nfail_on = ["regression"]\n')
        self.refused("gate", "--baseline", path, "--candidate", path, "--thresholds", thresholds, says=["has 1 processes"])

    def test_an_error_is_a_failure(self):
        files = [self.write("1.json", google([1])), self.write("2.json", google([1], error_occurred=True, error_message="no"))]
        path = self.path("failed.json")
        self.assertEqual(driver.run("convert", "--to", "assay", "-o", path, *files).returncode, 0)
        measured = json.loads(pathlib.Path(path).read_text())["measurements"][0]
        self.assertEqual((measured["status"], measured["reason"]), ("failed", "no"))

    def test_a_measured_run_goes_out_and_comes_back(self):
        record, out = self.path("bench.json"), self.path("google.json")
        done = driver.run("bench", "--quick", "--subject", "pointer", "--filter", "dispatch/typed/tensors=1", "-o", record)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(driver.run("convert", "--to", "google", "-o", out, record).returncode, 0)
        medians = [process["median"] for process in json.loads(pathlib.Path(record).read_text())["measurements"][0]["processes"]]
        written = json.loads(pathlib.Path(out).read_text())["benchmarks"]
        self.assertEqual([entry["real_time"] for entry in written], medians)
        lines = driver.run("convert", "--to", "go", record).stdout.splitlines()
        self.assertEqual(len([line for line in lines if line.startswith("Benchmark")]), len(medians))

    def test_what_is_neither_is_refused_by_name(self):
        good, bad = self.write("good.json", google([1])), self.write("bad.json", "{}")
        self.refused("convert", "--to", "assay", bad, says=["bad.json is neither a record"])
        self.refused("convert", "--to", "assay", good, bad, says=["assay: ", "bad.json: "])
        self.refused("convert", "--to", "assay", bad, good, says=["several files must all be of Google Benchmark, or all of NVBench"])
        self.refused("convert", "--to", "assay", good, self.write("x.json", google([1], "other")), says=["from one program"])
        self.refused("convert", "--to", "asay", good, says=["assay"])
        self.refused("convert", "--to", "assay", self.path("none.json"), says=["none.json"])


if __name__ == "__main__":
    driver.main()
