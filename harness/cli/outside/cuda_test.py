#!/usr/bin/env python3
"""Tests the subjects cuda and cuda_on_cpu. Usage: cuda_test.py <folder of the programs>."""

import os
import pathlib
import shutil
import stat
import unittest

import driver


class Cuda(driver.ProgramTest):
    """Uses stand-ins for the programs, to test how assay handles their output."""

    def setUp(self):
        super().setUp()
        shutil.copy(driver.ASSAY, self.folder / "assay")

    def stand_in(self, name, script):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + script + "\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def assay(self, *words):
        return driver.run(*words, executable=str(self.folder / "assay"))

    def test_without_its_program_neither_is_there(self):
        for subject, program, builds in (("cuda", "assay-cuda", "scripts/run --cuda builds it, and installs nvcc"),
                                         ("cuda_on_cpu", "assay-cuda-on-cpu", "scripts/run builds it")):
            done = self.assay("run", "--subject", subject)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(f"the subject '{subject}' was not built: there is no {program} beside", done.stderr)
            self.assertIn(f"({builds}", done.stderr)

    def test_the_simulation_has_four_times_as_long(self):
        self.stand_in("assay-cuda-on-cpu", f"exec {self.toy('hangs')}")
        done = self.assay("run", "--subject", "cuda_on_cpu", "--timeout", "1", "--filter", "amp/update_scale/counts_in_integers",
                          *driver.ONE_CONTRACT)
        self.assertIn("the case may take 4000 ms (--timeout)", " ".join(done.stdout.split()))

    def test_an_absent_device_is_wrong_usage(self):
        self.stand_in("assay-cuda", "echo No NVIDIA driver is here.; exit 77")
        done = self.assay("run", "--subject", "cuda")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stderr, "assay: the subject 'cuda' needs a device. No NVIDIA driver is here.\n")

    def test_an_absent_device_is_77_where_that_is_allowed(self):
        self.stand_in("assay-cuda", "echo No NVIDIA driver is here.; exit 77")
        done = self.assay("run", "--subject", "cuda", "--allow-absent")
        self.assertEqual(done.returncode, 77, done.stdout)
        self.assertEqual(driver.last_line(done), "DEVICE ABSENT: 0 of 1 subjects conform; no device for cuda")
        self.assertIn("No NVIDIA driver is here.", done.stderr)
        self.assertEqual(self.assay("replay", "amp/update_scale/counts_in_integers", "--subject", "cuda", "--allow-absent").returncode, 77)

    def test_an_absent_device_hides_nothing_of_the_other_subjects(self):
        self.stand_in("assay-cuda", "echo No NVIDIA driver is here.; exit 77")
        outputs = ["--json", self.path("r.json"), "--junit", self.path("r.xml"), "--allow-absent", *driver.AMP, *driver.ONE_CONTRACT]
        for subjects, exit_code, verdict, begins in (
                (["cuda"], 77, "DEVICE ABSENT", "DEVICE ABSENT: 0 of 1 subjects conform"),
                (["reference", "cuda"], 77, "DEVICE ABSENT", "DEVICE ABSENT: 1 of 2 subjects conform"),
                (["cuda", self.toy("wrong")], 1, "FAILS", "FAILS: 0 of 2 subjects conform"),
                ([self.toy("wrong"), "cuda"], 1, "FAILS", "FAILS: 0 of 2 subjects conform"),
                (["cuda", self.toy("unsupported")], 5, "NOTHING RAN", "NOTHING RAN: 0 of 2 subjects conform")):
            with self.subTest(subjects=subjects):
                done = self.assay("run", *(word for subject in subjects for word in ("--subject", subject)), *outputs)
                self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
                record, _ = self.agreement(done)
                self.assertEqual((record["verdict"], len(record["subjects"])), (verdict, len(subjects) - 1))
                self.assertEqual(record["line"], begins + "; no device for cuda")
                self.assertIn("assay: the subject 'cuda' needs a device. No NVIDIA driver is here.", done.stderr)

    def cpus_seen(self, *words):
        """The CPUs that cuda_on_cpu's stand-in may use, and those of the thread that started it, of each process."""
        seen = self.folder / "seen"
        seen.unlink(missing_ok=True)
        cpus = "sed -n 's/Cpus_allowed_list:\\t//p'"
        runner = "/proc/$(cut -d' ' -f4 /proc/$PPID/stat)/status"
        self.stand_in("assay-cuda-on-cpu", f"echo $({cpus} /proc/self/status) $({cpus} {runner}) >>{seen}; exec {self.toy('wrong')}")
        self.assay("run", *driver.AMP, *driver.ONE_CONTRACT, *words)
        return [line.split() for line in seen.read_text().splitlines()]

    def test_runs_by_turns_on_one_cpu_that_no_other_run_has(self):
        every = f"0-{os.cpu_count() - 1}"
        if len(os.sched_getaffinity(0)) != os.cpu_count() or os.cpu_count() < 2:
            self.skipTest("this test may not use all CPUs, or there is one only")
        for subject in ("cuda_on_cpu", str(self.folder / "assay-cuda-on-cpu")):
            for jobs in ("1", "2"):
                with self.subTest(subject=subject, jobs=jobs):
                    seen = self.cpus_seen("--subject", subject, "-j", jobs)
                    self.assertTrue(seen)
                    all_are_reserved = pathlib.Path("/proc/net/unix").read_text().count("@assay-cpu-") >= os.cpu_count()
                    for own, runner in seen:
                        self.assertEqual(own, runner)
                        if not all_are_reserved or own != every:
                            self.assertEqual(own.isdigit(), subject == "cuda_on_cpu" and jobs == "1", seen)

    def test_doctor_tells_about_both(self):
        self.stand_in("assay-cuda", "echo The NVIDIA driver sees no device.; exit 77")
        said = self.assay("doctor").stdout
        self.assertRegex(said, r"(?m)^missing +cuda +The NVIDIA driver sees no device\.$")
        self.assertRegex(said, r"(?m)^missing +on_cpu +not built, ")
        self.stand_in("assay-cuda-on-cpu", "exit 1")
        self.assertRegex(self.assay("doctor").stdout, r"(?m)^ok +on_cpu +assay-cuda-on-cpu is there")


if __name__ == "__main__":
    unittest.main()
