#!/usr/bin/env python3
"""Tests the messages of `assay-cuda --devices` without a usable GPU, with fake drivers."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, DRIVER_FOLDER, STUB, ARCHITECTURES = sys.argv[1:5]


def devices(driver_folder="", **variables):
    """Runs with the libraries of this folder and these environment variables; returns the message and the exit status."""
    environment = {name: value for name, value in os.environ.items() if name != "CUDA_VISIBLE_DEVICES"}
    environment |= {"LD_LIBRARY_PATH": str(driver_folder)} | {name: str(value) for name, value in variables.items()}
    done = subprocess.run([PROGRAM, "--devices"], env=environment, capture_output=True, text=True, timeout=600)
    return done.stdout.strip(), done.returncode


class Devices(unittest.TestCase):
    def expect_absent(self, said, words):
        sentence, status = said
        self.assertEqual(status, 77, sentence)
        self.assertEqual(sentence.count("\n"), 0, sentence)
        for word in words:
            self.assertIn(word, sentence)

    @unittest.skipIf(pathlib.Path("/dev/nvidiactl").exists(), "a driver is installed here")
    def test_no_driver(self):
        self.expect_absent(devices(), ["No NVIDIA driver", "libcuda.so.1 was not found", "13."])

    def test_the_stub_for_linking_is_no_driver(self):
        if not pathlib.Path(STUB).exists():
            self.skipTest("this toolkit has no stub")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "libcuda.so.1").symlink_to(STUB)
            self.expect_absent(devices(folder), ["No NVIDIA driver", "stub"])

    def test_a_driver_that_is_too_old(self):
        said = devices(DRIVER_FOLDER, ASSAY_DRIVER_VERSION=12040)
        self.expect_absent(said, ["too old", "CUDA 12.4", "13."])

    def test_no_device(self):
        said = devices(DRIVER_FOLDER, ASSAY_DRIVER_INIT=100)
        self.expect_absent(said, ["sees no device", "CUDA 13.0"])

    def test_no_device_because_none_is_shown(self):
        said = devices(DRIVER_FOLDER, ASSAY_DRIVER_INIT=100, CUDA_VISIBLE_DEVICES="7")
        self.expect_absent(said, ["sees no device", 'CUDA_VISIBLE_DEVICES is "7"'])

    def test_devices_that_cannot_be_used(self):
        for code, name in ((3, "cudaErrorInitializationError"), (802, "cudaErrorSystemNotReady"),
                           (803, "cudaErrorSystemDriverMismatch"), (46, "cudaErrorDevicesUnavailable")):
            with self.subTest(code=code):
                said = devices(DRIVER_FOLDER, ASSAY_DRIVER_INIT=code)
                self.expect_absent(said, ["cannot be used", f"{name} ({code})"])

    def test_a_device_that_the_program_has_no_code_for(self):
        said = devices(DRIVER_FOLDER, ASSAY_DRIVER_DEVICES="70")
        self.expect_absent(said, ["no code for the CUDA device 0, Told GPU 0 (7.0)", ARCHITECTURES,
                                  "hide the device with CUDA_VISIBLE_DEVICES"])
        self.assertNotIn("-DASSAY_CUDA_ARCHITECTURES", said[0])

    def test_the_second_device_is_named_where_only_the_first_has_code(self):
        first = re.match(r"\d+", ARCHITECTURES)[0]
        said = devices(DRIVER_FOLDER, ASSAY_DRIVER_DEVICES=f"{first},70")
        self.expect_absent(said, ["no code for the CUDA device 1, Told GPU 1 (7.0)"])

    def test_code_for_every_device_is_no_reason(self):
        first = re.match(r"\d+", ARCHITECTURES)[0]
        sentence, _ = devices(DRIVER_FOLDER, ASSAY_DRIVER_DEVICES=f"{first},{first}")
        self.assertNotIn("no code", sentence)

    def test_a_driver_that_is_too_old_is_said_before_that_there_is_no_code(self):
        said = devices(DRIVER_FOLDER, ASSAY_DRIVER_DEVICES="70", ASSAY_DRIVER_VERSION=12040)
        self.expect_absent(said, ["too old"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
