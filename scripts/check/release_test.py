#!/usr/bin/env python3
"""Tests scripts/release with a stand-in for assay, and that the tables of results/pytorch.md are those of results/pytorch.json."""

import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/release"
loader = importlib.machinery.SourceFileLoader("release", str(SCRIPT))
release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", loader))
sys.dont_write_bytecode = True
loader.exec_module(release)

CASES = [("amp/a/one", "pass"), ("amp/a/two", "unsupported"), ("core/b/one", "pass"), ("core/b/two", "fail"), ("core/b/three", "crash")]
ASSAY = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
with open({log!r}, "a") as log:
    print(*words, file=log)
if "--help" in words:
    print("  --release 1.13|2.4|9.1|9.2  PyTorch release")
elif "--json" in words:
    cases = [{{"id": name, "outcome": outcome}} for name, outcome in {cases!r}]
    record = {{"subjects": [{{"contracts": ["9.2/cpu/compat"], "cases": cases}}]}}
    pathlib.Path(words[words.index("--json") + 1]).write_text(json.dumps(record))
sys.exit({status} if words[0] == "run" and "--json" in words else 0)
"""
PYTHON = """#!/bin/sh
echo {version}
echo
"""
PAGE = "".join(f"About {kind}:\n{release.BEGIN.format(kind)}\n{release.END}\n" for kind in release.KINDS)
OLD = {"pytorch": "9.2.0", "kind": "CPU", "date": "2000-01-01", "release": "9.2", "areas": {"all": [1, 1, 0, 0]}}
OTHER = {"pytorch": "9.10.1", "kind": "CPU", "date": "2000-01-01", "release": "9.2", "areas": {"core": [3, 2, 1, 0]}}


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "log"
        self.write("results/pytorch.json", json.dumps([OLD, OTHER]))
        self.write("results/pytorch.md", PAGE)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def try_release(self, version, *words, status=0):
        self.write("bin/assay", ASSAY.format(python=sys.executable, log=str(self.log), cases=CASES, status=status))
        python = self.write("python", PYTHON.format(version=f"{version}+cpu"))
        return subprocess.run([SCRIPT, version, "--python", python, "--bin", self.folder / "bin", "--results", self.folder / "results",
                               "--scratch", self.folder / "scratch", *words],
                              capture_output=True, text=True, check=False)

    def rows(self):
        return json.loads((self.folder / "results/pytorch.json").read_text())

    def test_the_committed_tables_are_those_of_the_counts(self):
        page = (ROOT / "results/pytorch.md").read_text(encoding="utf-8")
        rows = json.loads((ROOT / "results/pytorch.json").read_text(encoding="utf-8"))
        self.assertEqual(page, release.with_tables(page, rows), "scripts/release --tables writes them anew")
        self.assertTrue(all(len(counts) == 4 and counts[0] >= sum(counts[1:]) for row in rows for counts in row["areas"].values()))

    def test_its_row_takes_the_place_of_the_older_one(self):
        done = self.try_release("9.2.0", "--minutes", "0")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([row["pytorch"] for row in self.rows()], ["9.10.1", "9.2.0"])
        self.assertEqual(self.rows()[-1]["areas"], {"amp": [2, 1, 1, 0], "core": [3, 1, 0, 2]})
        lines = (self.folder / "results/pytorch.md").read_text().splitlines()
        row = next(line for line in lines if line.startswith("| 9.2.0 |"))
        self.assertTrue(row.endswith("| 9.2 | 5 / 2 / 1 / 2 | 2 / 1 / 1 / 0 | 3 / 1 / 0 / 2 |"), row)
        self.assertLess(lines.index(row), next(at for at, line in enumerate(lines) if line.startswith("| 9.10.1 |")))
        self.assertIn("5 / 2 / 1 / 2 (asked, passed, unsupported, disagreed)", done.stdout)

    def test_what_changed_is_shown_against_the_release_before(self):
        self.try_release("9.2.0", "--minutes", "2")
        asked = self.log.read_text()
        self.assertIn("port 9.1 9.2 --subject torch", asked)
        self.assertIn("fuzz --subject torch", asked)
        self.assertIn("--time 120.0", asked)

    def test_a_release_without_a_contract_is_compared_with_the_newest_recordings(self):
        self.try_release("9.3.1", "--minutes", "0")
        asked = self.log.read_text()
        self.assertNotIn("\nport ", asked)
        self.assertIn("--transcripts newest", asked)

    def test_a_case_that_fails_fails_after_all_steps(self):
        done = self.try_release("9.2.0", "--minutes", "0", status=1)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.rows()[-1]["pytorch"], "9.2.0")

    def test_another_pytorch_is_refused(self):
        self.write("bin/assay", "#!/bin/sh\n")
        python = self.write("python", PYTHON.format(version="9.1.0"))
        done = subprocess.run([SCRIPT, "9.2.0", "--python", python, "--bin", self.folder / "bin", "--results", self.folder / "results",
                               "--scratch", self.folder / "scratch"],
                              capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("has PyTorch 9.1.0, not 9.2.0", done.stderr)
        self.assertEqual(self.rows(), [OLD, OTHER])


unittest.main()
