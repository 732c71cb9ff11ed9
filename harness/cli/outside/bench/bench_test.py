#!/usr/bin/env python3
"""`assay bench` from outside: its record, what it says of wrong and dead subjects, interrupts, other builds, wrong usage.
No test looks at a time. Usage: bench_test.py <folder of the programs>."""

import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402

QUICK = ["--quick", "--samples", "3", "--min-time", "0.001"]
HAS_LIBTORCH = (driver.BIN / "assay-libtorch.so").exists()
# The features that a libtorch lacks depend on its release and build; plain function pointers have no runtime.
MAY_LACK = {"libtorch": {"amp/update_scale", "amp/unscale", *("runtime/" + name for name in (
    "event", "event_create", "event_record", "event_query", "stream_from_pool", "stream_guard", "device_guard")), "memory/allocate"},
    "reference": set()}
ON_DEVICE = ("launch/", "submit/", "sync/", "graph/", "device/")
FAKE_NVML = driver.BIN.parent / "fake_nvml"


def cases():
    """All cases, with the default values of their axes."""
    names = []
    for line in driver.run("bench", "--list").stdout.splitlines():
        axes = re.findall(r"(\w+)=\[([^]]*)\]", line)
        values = [[f"/{axis}={value}" for value in said.split(",") if value != "..."] for axis, said in axes]
        names += ["".join([line.split()[0], *chosen]) for chosen in itertools.product(*values)]
    return names


def full_name(measurement):
    return "".join([measurement["case"], *(f"/{axis}={value}" for axis, value in measurement["axes"].items())])


class Bench(driver.ProgramTest):
    def test_two_benches_do_not_write_one_file(self):
        os.symlink("r.json", self.path("link"))
        first = subprocess.Popen([driver.ASSAY, "bench", "--subject", "reference", "--filter", "loop/empty", "-o", self.path("r.json")], stdout=subprocess.DEVNULL)
        self.wait_for(lambda: (self.folder / "r.json.partial").exists() or first.poll() is not None, "it does not begin")
        for path in ("r.json", "link"):
            done = driver.run("bench", *QUICK, "--filter", "loop/empty", "-o", self.path(path))
            if first.poll() is None:
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn("another bench is writing to", done.stderr)
        first.kill()
        first.wait()

    def measured(self, *words):
        done = driver.run("bench", *QUICK, "-o", self.path("r.json"), *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done, self.record()

    def test_every_case_has_a_row_for_every_subject(self):
        done, record = self.measured()
        subjects = ["pointer", "reference"] + (["libtorch"] if HAS_LIBTORCH else [])
        self.assertGreaterEqual(len(cases()), 14)
        self.assertEqual([subject["id"] for subject in record["subjects"]], subjects)
        self.assertEqual([(full_name(row), row["subject"]) for row in record["measurements"]],
                         [(case, subject) for case in cases() for subject in subjects])
        shown = [case for case in cases() if not case.startswith(ON_DEVICE)]
        for case in shown:
            self.assertRegex(done.stdout, rf"(?m)^{case} +pointer ")
        self.assertIn(f"not shown: {len(cases()) - len(shown)} cases that no subject here supports", done.stdout)
        self.assertEqual(record["meta"]["exit"], 0)
        self.assertEqual(record["meta"]["line"], driver.last_line(done))
        self.assertRegex(record["meta"]["line"], r"^PASS \d+ of \d+ measured, \d+ unsupported; 2 processes each; ")

    def test_a_number_comes_from_checked_samples_of_fresh_processes(self):
        _, record = self.measured()
        orders = {}
        for row in record["measurements"]:
            self.assertIn(row["status"], ("measured", "unsupported"))
            if row["status"] == "unsupported":
                if not row["case"].startswith(ON_DEVICE):
                    self.assertIn(row["case"], MAY_LACK.get(row["subject"], {row["case"]}))
                self.assertTrue(row["reason"])
                self.assertIsNone(row["center"])
                continue
            self.assertTrue(row["checked"])
            self.assertEqual([process["index"] for process in row["processes"]], [0, 1])
            for process in row["processes"]:
                self.assertEqual(len(process["samples"]), 3)
                self.assertEqual(process["median"], statistics.median(process["samples"]))
                self.assertEqual(orders.setdefault(process["order"], (row["subject"], process["index"])),
                                 (row["subject"], process["index"]))
            self.assertEqual(row["center"], statistics.median(process["median"] for process in row["processes"]))
        self.assertEqual(len(orders), 2 * len(record["subjects"]))

    def test_the_machine_and_what_measuring_costs_are_recorded(self):
        done, record = self.measured("--filter", "loop/empty", "--subject", "pointer", "--machine", "the one in the corner")
        self.assertEqual(record["environment"]["machine"], "the one in the corner")
        self.assertGreaterEqual(record["environment"]["cores"], 1)
        self.assertNotIn(os.uname().nodename, json.dumps(record["environment"]).split())
        for floor in record["calibration"].values():
            self.assertEqual(len(floor["medians"]), 2)
        kinds = [warning["kind"] for warning in record["warnings"]]
        self.assertIn("quick", kinds)
        self.assertIn("few_processes", kinds)
        for warning in record["warnings"]:
            self.assertIn("warning: " + warning["text"], done.stdout)

    @unittest.skipUnless((FAKE_NVML / "libnvidia-ml.so.1").exists(), "the library that stands in for NVIDIA's was not built")
    def test_gpus_are_recorded_with_what_held_them_back(self):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(FAKE_NVML)}
        done = driver.run("bench", *QUICK, "-o", self.path("r.json"), "--filter", "loop/empty", "--subject", "pointer", env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        record = self.record()
        self.assertEqual(record["environment"]["driver"], "580.65.06")
        self.assertEqual(record["environment"]["devices"], [
            {"name": "NVIDIA H200", "most_sm_clock_mhz": 1980, "ecc": True, "mig": False, "persistence": False, "uuid": "GPU-11111111",
             "most_memory_clock_mhz": 3201, "application_sm_clock_mhz": 1980, "power_limit_w": 700.0, "used": True},
            {"name": "NVIDIA T4", "most_sm_clock_mhz": None, "ecc": None, "mig": None, "persistence": None, "uuid": "GPU-22222222",
             "most_memory_clock_mhz": None, "application_sm_clock_mhz": None, "power_limit_w": None, "used": False}])
        for process in record["measurements"][0]["processes"]:
            self.assertEqual((process["sm_clock_mhz"], process["throttled_by"]), (1665, "power, heat"))
            self.assertEqual(process["sm_clocks_mhz"], [1665] * len(process["samples"]))
        self.assertIn("warning: GPUs were throttled (power, heat) in 2 of 2 results", done.stdout)
        doctor = driver.run("doctor", env=environment).stdout
        self.assertRegex(doctor, r"ok +gpu 0 +NVIDIA H200: 1665 of 1980 MHz, 61 degrees, 699.5 W, ECC on")
        self.assertRegex(doctor, r"noisy +gpu 0 +its clock is throttled by power, heat")
        self.assertRegex(doctor, r"ok +gpu 1 +NVIDIA T4\n")

    def test_a_subject_beside_itself_gives_the_noise_floor(self):
        done, record = self.measured("--aa", "--subject", "pointer", "--filter", "dispatch/typed")
        self.assertEqual([(subject["id"], subject["copy_of"]) for subject in record["subjects"]],
                         [("pointer", None), ("pointer#2", "pointer")])
        self.assertEqual(len(record["noise_floor"]["pairs"]), 3)
        self.assertIn("noise floor: identical subjects differ by up to ", done.stdout)

    def test_another_build_takes_turns_and_is_named(self):
        _, record = self.measured("--against", driver.ASSAY, "--subject", "pointer", "--filter", "loop/empty")
        self.assertEqual([subject["id"] for subject in record["subjects"]], ["pointer", "pointer@other"])
        self.assertIsNone(record["subjects"][0]["build"])
        self.assertEqual(record["subjects"][1]["build"],
                         {name: record["meta"][name] for name in record["subjects"][1]["build"]})
        self.assertTrue(all(row["status"] == "measured" for row in record["measurements"]))

    def test_a_program_is_known_by_the_id_of_its_file(self):
        _, record = self.measured("loop", "--subject", "pointer", "--against", driver.ASSAY)
        shown = subprocess.run(["readelf", "--notes", driver.ASSAY], capture_output=True, text=True, check=True).stdout
        self.assertEqual(record["meta"]["program"], re.search(r"Build ID: (\w+)", shown)[1])
        self.assertEqual(record["subjects"][1]["build"]["program"], record["meta"]["program"])

    def test_a_precision_ends_it_before_the_most_processes(self):
        done, record = self.measured("loop", "--processes", "300", "--precision", "900%", "--subject", "pointer")
        self.assertEqual((record["meta"]["processes"], len(record["measurements"][0]["processes"])), (7, 7))
        self.assertIn("; 7 processes each; ", driver.last_line(done))
        self.refused("bench", "--count", "--precision", "1%", says=["or --precision"])
        for never in ("3", "0%", "-1%", "nan"):
            self.refused("bench", "--precision", never, says=[f"'{never}' is not a share above 0: write 1% or 0.01"])

    def test_it_ends_where_every_pair_is_decided(self):
        subjects = ["--subject", "pointer", "--subject", "reference"]
        words = ["bench", "dispatch/typed", *subjects, "--samples", "3", "--min-time", "0.001", "-o", self.path("r.json")]
        done = driver.run(*words, "--until-decided", "900%")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.record()["meta"]["looks"], 3)
        self.assertLess(self.record()["meta"]["processes"], 48)
        compared = driver.run("compare", self.path("r.json"), "--col", "subject", "--margin", "900%")
        self.assertNotIn("undecided", driver.last_line(compared))
        self.assertIn("alpha is divided by its 3 looks", compared.stdout)
        self.refused(*words[:-2], "--until-decided", "2%", "--precision", "1%", says=["takes no --precision or --quick"])
        self.refused("bench", "--until-decided", "2%", "--subject", "pointer", says=["needs a second --subject"])

    def test_filters_and_excludes(self):
        _, record = self.measured("--filter", "dispatch/typed", "--filter", "*/depth=3", "--exclude", "*tensors=2",
                                  "--subject", "reference")
        self.assertEqual([full_name(row) for row in record["measurements"]],
                         ["dispatch/typed/tensors=1", "dispatch/typed/tensors=4", "dispatch/redispatch/depth=3"])

    def test_words_choose_cases_by_their_names_and_beginnings(self):
        _, record = self.measured("dispatch/typed", "loop", "dispatch/redi", "--filter", "dispatch/observed", "--exclude", "*=2", "--subject", "pointer")
        self.assertEqual([full_name(row) for row in record["measurements"]],
                         ["loop/empty", "dispatch/typed/tensors=1", "dispatch/typed/tensors=4", "dispatch/observed",
                          "dispatch/redispatch/depth=1", "dispatch/redispatch/depth=3"])

    def test_axes_are_chosen_on_the_command_line(self):
        _, record = self.measured("--axis", "tensors[pow2]=[0:1]", "--axis", "cache=miss", "--axis", "keys=[2:3]", "--axis", "depth=1",
                                  "--filter", "dispatch", "--exclude", "*_*", "--subject", "reference")
        self.assertEqual([full_name(row) for row in record["measurements"]],
                         ["dispatch/typed/tensors=1", "dispatch/typed/tensors=2", "dispatch/observed", "dispatch/fallthrough/keys=2",
                          "dispatch/fallthrough/keys=3", "dispatch/redispatch/depth=1", "dispatch/autocast/cache=miss"])

    def test_a_subject_that_does_not_do_the_loop_has_no_time(self):
        done = driver.run("bench", *QUICK, "--filter", "loop/empty", "--subject", self.plugin(";"), "--subject", "pointer",
                          "-o", self.path("r.json"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("FAILED: after 5 iterations the checksum is 7, not ", done.stdout)
        self.assertTrue(driver.last_line(done).startswith("FAIL 1 of 2 measured, 1 failed"))
        lost, kept = self.record()["measurements"]
        self.assertEqual((lost["status"], lost["center"], lost["checked"]), ("failed", None, False))
        self.assertEqual(kept["status"], "measured")

    def test_a_worker_that_dies_costs_its_case(self):
        done = driver.run("bench", *QUICK, "--filter", "loop/empty", "--subject", self.plugin("abort()"),
                          "-o", self.path("r.json"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("died of SIGABRT", self.record()["measurements"][0]["reason"])

    def test_nothing_measured_is_5(self):
        done = driver.run("bench", *QUICK, "--filter", "runtime/*", "--subject", "pointer")
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertTrue(driver.last_line(done).startswith("NOTHING RAN 0 of 7 measured, 7 unsupported"))

    def test_an_interrupt_keeps_what_is_done_and_leaves_nothing_running(self):
        driver.adopt_orphans()
        marker = self.path("second")
        subject = self.plugin(f'close(creat("{marker}", 0600)); for (;;) pause()')
        bench = subprocess.Popen([driver.ASSAY, "bench", *QUICK, "--filter", "loop/empty", "--subject", "pointer",
                                  "--subject", subject, "-o", self.path("r.json")], stdout=subprocess.PIPE, text=True)
        while not os.path.exists(marker):
            self.assertIsNone(bench.poll())
            time.sleep(0.01)
        bench.send_signal(signal.SIGINT)
        stdout, _ = bench.communicate()
        self.assertEqual(bench.returncode, 130, stdout)
        self.assertTrue(stdout.strip().splitlines()[-1].startswith("INTERRUPTED "))
        record = self.record()
        self.assertTrue(record["meta"]["interrupted"])
        self.assertFalse(record["meta"]["complete"])
        self.assertEqual(record["measurements"][1]["status"], "not_run")
        self.assertIn("interrupted", [warning["kind"] for warning in record["warnings"]])
        self.assertEqual(driver.children_left(), [])

    def test_wrong_usage_is_2_and_nothing_else(self):
        self.refused("bench", "--filter", "dispatch/type", says=["--filter 'dispatch/type' matches no case; did you mean dispatch/typed", "--list"])
        self.refused("bench", "--axis", "tensrs=3", says=["no case has an axis 'tensrs'; did you mean tensors?"])
        self.refused("bench", "--axis", "size=3", says=["--axis: no case has an axis 'size'; the axes are ", "tensors"])
        self.refused("bench", "--axis", "cache=warm", says=["--axis: no case has cache=warm; the values are cache=[hit,miss,crossed]\n"])
        self.refused("bench", "--axis", "L2=hot", says=["--axis: no case has an axis 'L2'; did you mean l2?"])
        self.refused("bench", "dispach/typed", says=["no case is or begins with 'dispach/typed'; did you mean dispatch/typed"])
        self.refused("bench", "dispatch/typed", "", says=["an empty argument selects no case"])
        self.refused("bench", "memory", "--axis", "cache=hit", "--axis", "N=8", "device/copy_i/", says=["begins with 'device/copy_i/' with the chosen axes"])
        self.refused("bench", "--steps", "dispatch", says=["it takes no names, --filter"])
        self.refused("bench", "--axis", "cache", says=["--axis: 'cache' is not NAME=[VALUE,...]"])
        self.refused("bench", "--axis", "cache=hit", "--filter", "*cache=miss", says=["matches no case with the chosen axes"])
        self.refused("bench", "--subject", "referense", says=["cannot time 'referense'", "did you mean reference?"])
        self.refused("bench", "--subject", "./none.so", says=["cannot start the subject './none.so'", "no such file"])
        self.refused("bench", "--subject", "pointer", "--subject", "pointer", says=["named twice", "--aa"])
        self.refused("bench", "--processes", "3", says=["--processes 3", "at least 7", "--quick"])
        self.refused("bench", "--processes", "0", says=["--processes"])
        self.refused("bench", "--against", self.write("notes.txt", "no program"), says=["--against", "is not a program"])
        self.refused("bench", "-o", self.folder.as_posix(), says=["cannot write"])

    def test_libtorch_that_was_not_built_is_told_in_a_sentence(self):
        alone = shutil.copy(driver.ASSAY, self.path("assay"))
        asked = subprocess.run([alone, "bench", *QUICK, "--subject", "libtorch"], capture_output=True, text=True)
        self.assertEqual(asked.returncode, 2)
        self.assertIn("CMake found no libtorch", asked.stderr)

    def plugin(self, body):
        """A shared library that answers hello correctly; for other commands it runs `body` and replies wrongly."""
        hello = {"protocol": 1, "name": "liar", "version": "1", "devices": [{"device": "cpu"}], "areas": ["bench"],
                 "threads": False, "release": "2.11", "device_rules": "cuda", "deviations": "strict"}
        lie = {"ns": 1, "checksum": 7, "via": "c++"}
        source = self.write("liar.c", LIAR % (body, *(json.dumps(json.dumps(reply)) for reply in (hello, lie))))
        library = self.path("liar.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
        return library


LIAR = r"""
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char reply[4096];
void* assay_open(void) { return reply; }
const char* assay_execute(void* session, const char* command, size_t bytes, size_t* reply_bytes) {
  (void)session;
  char text[4096];
  snprintf(text, sizeof text, "%%.*s", (int)bytes, command);
  const char* id = strstr(text, "\"id\":");
  const int greets = strstr(text, "hello") != NULL;
  if (!greets) { %s; }
  const char* ok = greets ? %s : %s;
  *reply_bytes = (size_t)snprintf(reply, sizeof reply, "{\"id\":%%ld,\"ok\":%%s}", id ? strtol(id + 5, 0, 10) : 0L, ok);
  return reply;
}
void assay_close(void* session) { (void)session; }
"""


if __name__ == "__main__":
    driver.main()
