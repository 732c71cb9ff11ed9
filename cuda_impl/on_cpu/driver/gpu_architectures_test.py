#!/usr/bin/env python3
"""Tests the default architectures of the kernels, with fake drivers that have the given devices."""

import os
import pathlib
import subprocess
import sys
import unittest

NVCC, DRIVER_FOLDER = sys.argv[1:3]
SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "scripts/cmake/gpu_architectures.py"


def architectures(**variables):
    environment = os.environ | {"LD_LIBRARY_PATH": DRIVER_FOLDER} | variables
    done = subprocess.run([sys.executable, SCRIPT, NVCC], env=environment, capture_output=True, text=True, check=True, timeout=600)
    return done.stdout.strip()


class GpuArchitectures(unittest.TestCase):
    def test_without_a_gpu_every_one_can_run_it(self):
        self.assertEqual(architectures(), "75-virtual;90-real;90-virtual")

    def test_the_gpu_of_this_machine_and_what_is_read(self):
        self.assertEqual(architectures(ASSAY_DRIVER_DEVICES="80"), "80-real;90-virtual")
        self.assertEqual(architectures(ASSAY_DRIVER_DEVICES="90"), "90-real;90-virtual")

    def test_each_kind_of_gpu_once(self):
        self.assertEqual(architectures(ASSAY_DRIVER_DEVICES="90,80,90"), "80-real;90-real;90-virtual")

    def test_a_gpu_that_nvcc_does_not_know_is_as_none(self):
        self.assertEqual(architectures(ASSAY_DRIVER_DEVICES="70"), "75-virtual;90-real;90-virtual")
        self.assertEqual(architectures(ASSAY_DRIVER_DEVICES="999"), "75-virtual;90-real;90-virtual")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
