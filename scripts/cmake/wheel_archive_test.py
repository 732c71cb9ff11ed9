#!/usr/bin/env python3
"""Tests wheel_archive.py on a small tree: pip reads and installs what it writes."""

import base64
import csv
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

import wheel_archive

ROOT = pathlib.Path(__file__).resolve().parents[2]
INFO = "torch_assay-1.2.dist-info"


class WheelArchive(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        tree = self.place / "tree"
        (tree / "bin").mkdir(parents=True)
        (tree / "bin" / "assay").write_text("#!/bin/sh\necho \"$ASSAY_CALLED_BY said $*\"\n", encoding="utf-8")
        (tree / "bin" / "assay").chmod(0o755)
        (tree / "a, b.txt").write_text("not a program\n", encoding="utf-8")
        (tree / "share" / "zsh" / "site-functions").mkdir(parents=True)
        (tree / "share" / "zsh" / "site-functions" / "_assay").write_text("#compdef assay\n", encoding="utf-8")
        self.tree = tree
        self.wheel = self.write()

    def write(self):
        return wheel_archive.write_wheel(self.place, "1.2", "2.28", self.tree, ROOT / "harness/python/torch_assay", ROOT)

    def test_its_name_says_on_what_it_runs(self):
        self.assertEqual(self.wheel.name, "torch_assay-1.2-py3-none-manylinux_2_28_x86_64.whl")

    def test_the_record_has_each_file_with_its_hash(self):
        with zipfile.ZipFile(self.wheel) as archive:
            rows = {path: (digest, size) for path, digest, size in csv.reader(archive.read(f"{INFO}/RECORD").decode().splitlines())}
            self.assertEqual(set(rows), set(archive.namelist()))
            self.assertEqual(rows.pop(f"{INFO}/RECORD"), ("", ""))
            for path, (digest, size) in rows.items():
                content = archive.read(path)
                known = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
                self.assertEqual((digest, size), (f"sha256={known}", str(len(content))), path)

    def test_programs_stay_programs(self):
        with zipfile.ZipFile(self.wheel) as archive:
            modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.infolist()}
        self.assertEqual(modes["torch_assay/installed/bin/assay"], 0o755)
        self.assertEqual(modes["torch_assay/installed/a, b.txt"], 0o644)
        self.assertEqual(modes["torch_assay/__main__.py"], 0o644)

    def test_what_shells_look_for_is_installed_below_share(self):
        with zipfile.ZipFile(self.wheel) as archive:
            self.assertIn("torch_assay-1.2.data/data/share/zsh/site-functions/_assay", archive.namelist())
            self.assertNotIn("torch_assay/installed/share/zsh/site-functions/_assay", archive.namelist())

    def test_the_same_files_make_the_same_wheel(self):
        before = self.wheel.read_bytes()
        self.assertEqual(self.write().read_bytes(), before)

    def test_the_description_needs_no_checkout(self):
        with zipfile.ZipFile(self.wheel) as archive:
            text = archive.read(f"{INFO}/METADATA").decode()
        self.assertIn("# Assay", text)
        self.assertFalse(re.search(r"\]\((?!https?:)", text.split("\n\n", 1)[1]), text)

    def test_pip_installs_it_and_the_command_runs_the_program(self):
        target = self.place / "target"
        pip = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", target, self.wheel],
                             capture_output=True, text=True)
        if "No module named pip" in pip.stderr:
            self.skipTest("this Python has no pip")
        self.assertEqual(pip.returncode, 0, pip.stderr)
        self.assertTrue((target / "share/zsh/site-functions/_assay").exists())
        done = subprocess.run([target / "bin" / "assay", "run", "it"], env={"PYTHONPATH": str(target), "PATH": "/usr/bin:/bin"},
                              capture_output=True, text=True)
        self.assertEqual(done.stdout, f"{target}/bin/assay said run it\n", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
