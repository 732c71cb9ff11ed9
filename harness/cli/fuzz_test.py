#!/usr/bin/env python3
"""Tests assay fuzz from end to end: finding, shrinking, saving, repeating. Usage: fuzz_test.py <folder of the programs>."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin").resolve()
ASSAY = str(BIN / "assay")
FAULT = "mutant:unscale_stops_at_first_bad"


def assay(*arguments, folder=None):
    return subprocess.run([ASSAY, *arguments], capture_output=True, text=True, cwd=folder, timeout=1200)


class Fuzz(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def fuzz(self, *arguments):
        return assay("fuzz", *arguments, folder=self.folder.name)

    def test_equal_subjects_agree_and_the_seed_is_printed(self):
        run = self.fuzz("--subject", "reference", "--count", "50", "--seed", "42", "-v")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout.splitlines()[-1], r"^PASS 50 programs .* 0 found.* seed 42;")
        self.assertIn("median length", run.stdout)
        self.assertFalse((pathlib.Path(self.folder.name) / "fuzz-findings").exists())

    def test_a_finding_is_shrunk_kept_and_can_be_repeated(self):
        run = self.fuzz("--subject", FAULT, "--areas", "core,amp", "--count", "500")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertTrue(run.stdout.splitlines()[-1].startswith("FAIL "))
        before, after = map(int, re.search(r"shrunk from (\d+) commands to (\d+)", run.stdout).groups())
        self.assertLess(after, before)
        kept = list((pathlib.Path(self.folder.name) / "fuzz-findings").iterdir())
        self.assertEqual(len(kept), 1)
        repeat = ["run", "--cases", "fuzz-findings", "--filter", "*/fuzz/*"]
        self.assertEqual(assay(*repeat, "--subject", FAULT, folder=self.folder.name).returncode, 1)
        self.assertEqual(assay(*repeat, "--subject", "reference", folder=self.folder.name).returncode, 0)

    def test_a_seed_finds_the_same_again(self):
        runs = [self.fuzz("--subject", FAULT, "--areas", "amp", "--seed", "9", "--count", "500") for _ in range(2)]
        texts = [re.sub(r"[\d.]+ s$", "", run.stdout, flags=re.M) for run in runs]
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(runs[0].returncode, 1)

    def test_changed_cases_reach_areas_without_random_programs(self):
        words = ["--areas", "graph", "--count", "2000"]
        run = self.fuzz("--subject", "mutant:graph_is_captured_over", *words)
        self.assertIn("no random programs for the area 'graph'", run.stderr)
        run = self.fuzz("--subject", "mutant:graph_is_captured_over", *words, "--from", "cases")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        kept = ["run", "--cases", "fuzz-findings", "--filter", "*/fuzz/*", "--subject"]
        self.assertEqual(assay(*kept, "mutant:graph_is_captured_over", folder=self.folder.name).returncode, 1)
        self.assertEqual(assay(*kept, "reference", folder=self.folder.name).returncode, 0)

    def test_no_program_is_empty_where_an_area_has_only_cases(self):
        run = self.fuzz("--subject", "reference", "--from", "both", "--areas", "graph", "--count", "40", "-v")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        cases = self.fuzz("--subject", "reference", "--from", "cases", "--areas", "graph", "--count", "40", "-v")
        self.assertEqual(*(re.search(r"PASS .* commands", each.stdout).group() for each in (run, cases)))

    def test_changed_cases_agree_with_themselves(self):
        runs = [self.fuzz("--subject", "reference", "--from", source, "--seed", "3", "--count", "300", "-j", jobs)
                for source, jobs in (("cases", "1"), ("cases", "2"), ("both", "1"))]
        for run in runs:
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        counted = [re.search(r"with (\d+) commands", run.stdout).group(1) for run in runs]
        self.assertNotEqual(counted[0], counted[2])

    def test_workers_share_the_programs(self):
        run = self.fuzz("--subject", "reference", "--count", "200", "-j", "2")
        self.assertRegex(run.stdout, r"PASS 200 programs")

    @unittest.skipUnless((BIN / "assay-cuda-on-cpu").exists(), "the CUDA implementation was not built")
    def test_only_devices_that_both_have_are_used(self):
        one_device = f"env ASSAY_ON_CPU_DEVICES=1 {BIN / 'assay-cuda-on-cpu'}"
        run = self.fuzz("--subject", one_device, "--areas", "core,runtime", "--count", "100")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_a_time_limit_ends_it(self):
        run = self.fuzz("--subject", "reference", "--time", "0.3")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_a_subject_that_dies_is_a_finding(self):
        dying = "import sys,json\nfor n, line in enumerate(sys.stdin):\n c = json.loads(line)\n" \
                " r = {'protocol':1,'name':'d','version':'1','devices':[],'areas':['core'],'threads':False}" \
                " if c['do'] == 'hello' else {'uncleaned': []}\n" \
                " if c['do'] not in ('hello', 'reset'): sys.exit(3)\n" \
                " print(json.dumps({'id': c['id'], 'ok': r}), flush=True)\n"
        path = pathlib.Path(self.folder.name) / "dying.py"
        path.write_text(dying)
        run = self.fuzz("--subject", f"{sys.executable} dying.py", "--areas", "core", "--count", "3")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("status 3", run.stdout)
        self.assertRegex(run.stdout, r"shrunk from \d+ commands to 1,")

    def test_a_subject_that_answers_nothing_does_not_pass(self):
        silent = "import sys,json\nfor line in sys.stdin:\n c = json.loads(line)\n" \
                 " ok = {'protocol':1,'name':'s','version':'1','devices':[],'areas':['core','amp'],'threads':False}\n" \
                 " r = {'ok': ok} if c['do'] == 'hello' else {'ok': {'uncleaned': []}} if c['do'] == 'reset' else {'unsupported': 'all'}\n" \
                 " print(json.dumps({'id': c['id'], **r}), flush=True)\n"
        (pathlib.Path(self.folder.name) / "silent.py").write_text(silent)
        run = self.fuzz("--subject", f"{sys.executable} silent.py", "--count", "20")
        self.assertEqual(run.returncode, 5, run.stdout + run.stderr)
        self.assertRegex(run.stdout.splitlines()[-1], r"^NOTHING RAN 20 programs with 0 commands")
        self.assertNotIn("runtime", run.stdout, "it claims two areas only")
        run = self.fuzz("--subject", f"{sys.executable} silent.py", "--count", "20", "--areas", "core,optim")
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertIn("silent.py does not claim the area optim", run.stderr)

    def test_what_random_programs_find_of_the_faults_is_counted(self):
        run = self.fuzz("--faults", "unscale_stops_at_first_bad", "--count", "500")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("found 1 of 1 faults", run.stdout)

    def test_programs_of_an_area_find_faults_of_every_theme(self):
        themes = ["set_xor_is_or", "schema_words_are_names", "tls_included_wins_over_excluded",
                  "typed_call_ignores_optionals", "boxed_call_clears_the_stack_below", "key_of_the_block_wins",
                  "structured_out_has_a_composite", "schema_outlives_its_definition", "results_pushed_in_reverse"]
        faults = [word for theme in themes for word in ("--faults", theme)]
        run = self.fuzz(*faults, "--areas", "dispatch", "--count", "1000")
        self.assertIn(f"found {len(themes)} of {len(themes)} faults", run.stdout, run.stdout)

    def test_wrong_usage_is_told(self):
        for arguments, words in ((["--count", "1"], "--subject"),
                                 (["--subject", "reference", "--areas", "nowhere"], "'nowhere'"),
                                 (["--subject", "reference", "--areas", "cor"], "did you mean core"),
                                 (["--subject", "reference", "--count", "-3"], "--count"),
                                 (["--faults", "no_such_*"], "matches no fault of reference, by name or clause")):
            run = self.fuzz(*arguments)
            self.assertIn(run.returncode, (2, 5), run.stdout + run.stderr)
            self.assertIn(words, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
