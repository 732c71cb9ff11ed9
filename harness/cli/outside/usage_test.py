#!/usr/bin/env python3
"""Tests the command line of the program. Usage: usage_test.py <folder of the programs>."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import driver

ONE_CASE = "amp/update_scale/*"
BENCH = str(driver.HERE.parents[2] / "results/baselines/two-core-vm.json")


class Usage(driver.ProgramTest):
    def test_the_reference_passes(self):
        done, record, _ = self.run_and_agree("--filter", ONE_CASE)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(driver.last_line(done), r"^CONFORMS in part of amp: (\d+) of \1 cases pass on reference; \d+ of \d+ clauses witnessed; ")
        self.assertNotIn("\x1b", done.stdout)
        self.assertEqual(done.stderr, "")
        for key in ("host", "cpu", "kernel", "compiler", "flags", "revision", "dirty"):
            self.assertIn(key, record["environment"])

    def test_an_empty_selection_is_no_pass(self):
        done, record, _ = self.run_and_agree("--filter", "nothing/*")
        self.assertEqual(done.returncode, 5)
        self.assertEqual(record["verdict"], "NOTHING RAN")

    def test_a_pattern_that_matches_nothing_is_told(self):
        done = driver.run("run", "--filter", "amp/updte_scale/*", "--filter", "no_such")
        self.assertEqual(done.returncode, 5, done.stdout)
        self.assertIn("--filter 'amp/updte_scale/*' matches no case; did you mean amp/update_scale", done.stderr)
        done = driver.run("run", "--filter", "AMP-106", "--exclude", "no_such")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("--exclude 'no_such' matches no case", done.stderr)
        self.assertIn("none of the faults matches", driver.run("list", "faults", "--filter", "no_such").stderr)

    def test_an_option_without_its_value_says_what_it_needs(self):
        self.refused("bench", "--until-decided", says=["assay bench: --until-decided needs a value (SHARE)\n"])
        self.refused("run", "--filter", says=["assay run: --filter needs a value\n"])

    def test_a_filter_that_matches_nothing_beside_one_that_does_is_refused(self):
        self.refused("run", "--filter", "amp/updte_scale/*", "--filter", "AMP-106", "--filter", "scaller",
                     says=["--filter 'amp/updte_scale/*' matches no case; did you mean amp/update_scale", "--filter 'scaller' matches no case"])
        self.refused("run", "--filter", "AMP-106", "--filter", "core/cast/every_float16*", says=["matches"])

    def test_what_is_required_must_be_asked_for(self):
        self.refused("run", "--require", "dispatch", "--filter", "amp/*", says=["--require dispatch: no case of dispatch is selected"])
        self.refused("run", "amp/update_scale", "--require", "dispatch", says=["--require dispatch: no case of dispatch is selected"])
        self.refused("run", "--require", "amp", "--require", "core", "--exclude", "core/*", says=["--require core"])

    def test_a_seed_without_a_shuffle_is_refused(self):
        self.refused("run", *driver.AMP, "--seed", "7", says=["--seed", "--shuffle"])

    def test_support_is_for_foreign_subjects(self):
        file = self.write("s.toml", '[[unsupported]]\ncases = "amp/*"\nreason = "known"\n')
        self.refused("run", *driver.AMP, "--support", file, says=["has no foreign subject"])
        self.refused("run", *driver.AMP, "--subject", self.toy("partial"), "--support", "/no/such", says=["/no/such"])
        self.write("s.toml", '[[unsupported]]\ncases = "*"\nreason = "known"\n')
        self.refused("run", *driver.AMP, "--subject", self.toy("partial"), "--support", file, says=[f"{file}:1: 'cases' must name an area"])

    def test_what_cannot_be_printed_is_no_success(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([driver.ASSAY, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write to standard output", done.stderr)

    def test_a_reader_that_has_read_enough_is_no_error(self):
        for trap in ("", "trap '' PIPE; "):  # as in a terminal, and as below some CI systems
            for words in ("list cases", "explain AMP-105", "run --subject reference -v --filter amp/*"):
                with self.subTest(trap=trap, words=words):
                    script = f"{trap}{driver.ASSAY} {words} | head -n 1"
                    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=driver.PATIENCE)
                    self.assertEqual(done.stderr, "")
                    self.assertEqual(len(done.stdout.splitlines()), 1)

    def test_serve_starts_each_subject_that_is_a_program(self):
        hello = '{"id":1,"do":"hello"}\n'
        for name in ("reference", "cuda_on_cpu"):
            if name != "reference" and not (driver.BIN / "assay-cuda-on-cpu").exists():
                continue
            done = driver.run("serve", name, input=hello)
            self.assertEqual((done.returncode, '"protocol":1' in done.stdout), (0, True), done.stdout + done.stderr)
        self.refused("serve", "torch", says=["--subject torch starts it"])
        self.refused("serve", "referense", says=["unknown subject 'referense'; did you mean reference?"])

    def test_wrong_usage_is_2_and_nothing_else(self):
        self.refused("run", "--nonsense", says=["assay run: unknown option '--nonsense'", "`assay run --help`"])
        self.refused("run", "-q=3", says=["assay run: '=3' follows an option of one letter, which takes no value"])
        self.refused("run", *driver.AMP, "--strict-end", "--no-isolate", says=["--strict-end has no effect with --no-isolate"])
        self.refused("run", "--release", "9.9", says=["9.9"])
        self.refused("run", "", says=["an empty argument selects no case"])
        for option in ("--cards", "--durations"):
            self.refused("run", option, "-1", says=[option, "'-1'"])
        self.refused("run", "--filter", "/amp(/", says=["'/amp(/' is not a regular expression"])
        self.refused("replay", "amp/no_such_case", says=["amp/no_such_case"])
        self.refused("explain", "AMP-1O5", says=["did you mean", "AMP-105"])
        self.refused("coverage", "--kills", "/no/such/file", says=["/no/such/file"])
        self.refused("run", "--filter", ONE_CASE, "--subject", "no-such-program --flag", says=["no-such-program"])
        self.refused("run", "--subject", "'open quote", says=["open quote"])

    def test_an_unknown_command_is_named_with_the_nearest(self):
        self.refused("frobnicate", says=["unknown command 'frobnicate'", "commands: run, next, port, fuzz, "])
        self.refused("runn", says=["'runn'; did you mean run?"])
        self.refused("waivers", "sugest", says=["'waivers sugest'; did you mean suggest?"])

    def test_an_unknown_subject_is_told_what_there_is(self):
        self.refused("run", "--subject", "referense", says=["referense", "did you mean reference", "mutant:", "command line"])
        self.refused("run", "--subject", "mutant:no_such_fault_at_all", says=["mutant:no_such_fault_at_all"])
        self.refused("run", "--subject", "./none.so", says=["'./none.so': there is no such file"])
        mine = self.write("mine.py", "")
        self.refused("run", "--subject", mine, says=["neither a shared library nor executable", f'"python3 {mine}"'])

    def test_what_never_answers_is_configuration_and_says_its_last_words(self):
        missing = self.path("nope.py")
        self.refused("run", "--subject", f"{sys.executable} {missing}", "--filter", ONE_CASE,
                     says=["cannot start the subject", "ended with status 2", "  | ", f"can't open file '{missing}'"])
        without_torch = self.write("python", '#!/bin/sh\nexec %s -S "$@"\n' % sys.executable)
        os.chmod(without_torch, 0o755)
        for words in (["run"], ["fuzz"], ["replay", "2.11.0-cpu/amp"]):
            self.refused(*words, "--subject", "torch", "--python", without_torch,
                         says=["cannot start the subject", "cannot import PyTorch", "-m pip install torch", "--python or ASSAY_PYTHON"])
        empty = self.write("empty.so", "")
        self.refused("run", "--subject", empty, "--filter", ONE_CASE, says=["cannot start the subject", "empty.so"])
        os.chmod(empty, 0o755)
        self.refused("run", "--subject", self.write("plain", ""), says=["neither a shared library nor executable"])
        text = self.write("text", "#!/no/such/interpreter\n")
        os.chmod(text, 0o755)
        self.refused("run", "--subject", text, says=["cannot start the subject"])

    def test_a_run_whose_second_subject_never_answers_can_go_on(self):
        words = ["--subject", "reference", "--filter", ONE_CASE, "--json", self.path("r.json")]
        done = driver.run("run", *words, "--subject", f"{sys.executable} {self.path('late.py')} wrong")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--resume " + self.path("r.json.journal"), done.stdout)
        self.assertIn("late.py", done.stderr)
        shutil.copy(driver.HERE / "toy_subject.py", self.path("late.py"))
        done = driver.run("run", *words, "--subject", f"{sys.executable} {self.path('late.py')} wrong", "--resume", self.path("r.json.journal"))
        self.assertEqual(len(self.record()["subjects"]), 2, done.stderr)
        self.assertFalse(os.path.exists(self.path("r.json.journal")))

    def test_a_flag_takes_no_value(self):
        for words in (["bench", "--no-pin=3"], ["bench", "--quick=0"], ["run", "--shuffle=yes"], ["run", "--no-isolate=3"],
                      ["run", "--full=false"], ["list", "cases", "--json=r"], ["diff", "a", "b", "--strict=no"], ["run", "--help=3"]):
            self.refused(*words, says=[words[-1].split("=")[0] + " takes no value"])

    def test_a_file_that_cannot_be_written_is_2(self):
        for option in ("--json", "--junit", "--markdown"):
            self.refused("run", option, self.path("none/r"), says=[f"{option}: cannot write", f"there is no folder {self.path('none')}"])
            self.refused("run", option, "/proc/r", says=[f"{option}: cannot write /proc/r"])
        none = self.path("none/r")
        for words in (["bench", "--subject", "reference", "-o", none], ["record", "--subject", "reference", "-o", none],
                      ["selftest", "--json", none], ["litmus", "LT-04", "--json", none], ["convert", "--to", "go", BENCH, "-o", none],
                      ["compare", BENCH, "--col", "subject", "--json", none], ["report", BENCH, "-o", f"{none}.md"]):
            self.refused(*words, says=[f"there is no folder {self.path('none')}"])
        self.assertEqual(os.listdir(self.folder), [])
        self.refused("run", "--json", self.path("r"), "--junit", str(self.folder) + "/./r", says=["--json and --junit would both be written"])
        self.refused("run", "--journal", self.path("none/j"), says=[f"there is no folder {self.path('none')}"])
        self.refused("run", "--junit", str(self.folder), says=["--junit: expected a file", "is a folder"])
        self.refused("run", "--json", "-", says=["--json: expected a file, got '-'"])

    def test_a_link_stays_and_what_is_no_file_is_written_into(self):
        target, link, pipe = (pathlib.Path(self.path(name)) for name in ("target", "link", "pipe"))
        link.symlink_to(target)
        target.write_text("old")
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
            done = driver.run("run", "--filter", ONE_CASE, "--json", str(link), "--markdown", str(pipe))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(reader.communicate(timeout=driver.PATIENCE)[0].startswith("# CONFORMS"))
        self.assertTrue(link.is_symlink())
        self.assertEqual(json.loads(target.read_text())["verdict"], "CONFORMS")
        self.assertTrue(pipe.is_fifo())

    def test_a_pipe_that_nobody_reads_does_not_keep_the_program_and_the_journal_stays(self):
        pipe, journal = self.path("pipe"), self.path("j")
        os.mkfifo(pipe)
        done = driver.run("run", "--filter", ONE_CASE, "--json", pipe, "--journal", journal)
        self.assertEqual(done.returncode, 2, done.stderr)
        for words in (f"cannot write {pipe}: no process reads this pipe", f"--resume {journal}"):
            self.assertIn(words, done.stderr)
        self.assertIn(ONE_CASE, pathlib.Path(journal).read_text())

    def test_lists_are_json(self):
        for what, key in (("cases", "id"), ("clauses", "id"), ("subjects", "name"), ("faults", "name")):
            rows = json.loads(driver.run("list", what, "--json").stdout)
            self.assertTrue(all(row[key] for row in rows))
        self.assertIn("AMP-105", driver.run("list", "clauses").stdout)

    def test_explaining_shows_text_and_cases(self):
        done = driver.run("explain", "AMP-105")
        self.assertEqual(done.returncode, 0)
        case = json.loads(driver.run("list", "--filter", "AMP-105", "--json").stdout)[0]["id"]
        self.assertIn(case, done.stdout)
        self.assertIn("AMP-105", driver.run("explain", case).stdout)
        fault = json.loads(driver.run("list", "faults", "--filter", "AMP-105", "--json").stdout)[0]
        told = driver.run("explain", fault["name"]).stdout
        self.assertIn(fault["what"], told)
        self.assertIn("AMP-105", told)

    def test_faults_show_what_they_change(self):
        rule = "return found_inf != 0.0F;"
        [fault] = json.loads(driver.run("list", "faults", "--filter", "update_scale_flag_above_zero", "--json").stdout)
        self.assertEqual(fault["changes"], [f"reference/amp/update_scale.cpp\n- {rule}\n+ return found_inf > 0.0F;\n"])
        self.assertIn(fault["changes"][0], driver.run("explain", fault["name"]).stdout)
        lines = driver.run("list", "faults", "--filter", "update_scale_flag_*").stdout.splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith(fault["name"]))
        self.assertEqual(lines[at + 1:at + 4], ["    " + line for line in fault["changes"][0].splitlines()])

    def test_coverage_says_the_same_by_line_and_exit_code(self):
        done = driver.run("coverage")
        self.assertEqual(driver.last_line(done).split()[0], {0: "PASS", 1: "FAIL"}[done.returncode])
        self.assertEqual("hole: " in done.stdout, done.returncode == 1)

    def test_help_and_version_are_no_errors(self):
        self.assertEqual(driver.run("--version").returncode, 0)
        for command in ("run", "list", "explain", "coverage", "selftest", "record", "replay", "serve", "doctor",
                        "waivers", "diff", "bench", "merge", "next", "slurm", "archive", "history", "fleet"):
            done = driver.run(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Example: assay ", done.stdout)

    def test_doctor_says_what_is_there_what_is_missing_and_what_mends_it(self):
        done = driver.run("doctor", env=os.environ | {"ASSAY_PYTHON": "/no/such/python", "PATH": "/usr/bin:/bin"})
        self.assertEqual(done.returncode, 0)
        for word in ("compiler", "cmake", "ccache", "python", "libtorch", "nvcc", "GPU", "cuda", "on_cpu", "mutants", "disk"):
            self.assertRegex(done.stdout, rf"(?m)^(ok|missing|WRONG) +{word} ")
        self.assertRegex(done.stdout, r"(?m)^missing +torch +/no/such/python cannot import PyTorch")
        self.assertIn("to fix: /no/such/python -m pip install torch", done.stdout)
        self.assertRegex(driver.last_line(done), r"^\d+ found, \d+ missing")
        self.assertRegex(done.stdout, r"(?ms)^Where times are taken:.*^(ok|noisy) +guest ")

    def test_the_reference_serves_itself(self):
        done, _, _ = self.run_and_agree("--subject", f"{driver.ASSAY} serve reference", "--filter", ONE_CASE)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_libtorch_that_was_not_built_is_told_in_a_sentence(self):
        alone = shutil.copy(driver.ASSAY, self.path("assay"))
        done = subprocess.run([alone, "run", "--subject", "libtorch", "--filter", ONE_CASE], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("CMake found no libtorch", done.stdout + done.stderr)

    def test_a_command_leads_to_the_cases_that_send_it(self):
        rows = json.loads(driver.run("list", "--command", "amp.update_scale", "--filter", "amp/*", "--json").stdout)
        calls = {row["id"]: row["calls"] for row in rows}
        self.assertGreaterEqual(calls["amp/update_scale/grows_only_to_a_finite_float"], 1)
        every = json.loads(driver.run("list", "--filter", "amp/*", "--json").stdout)
        self.assertLess(len(calls), len(every))
        self.assertLessEqual(set(calls), {row["id"] for row in every})
        unknown = driver.run("list", "--command", "amp.update_scal")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("did you mean amp.update_scale", unknown.stderr)
        self.assertEqual(driver.run("list", "faults", "--command", "amp.*").returncode, 2)

    def test_a_case_that_must_pass_cannot_vanish_silently(self):
        script = driver.ROOT / "scripts" / "check" / "mustpass.py"
        suites = pathlib.Path(self.path("suites"))
        suites.mkdir()
        known = json.loads(driver.run("list", "--release", "2.4", "--json").stdout)[0]["id"]

        def verdict(retired):
            (suites / "retired.txt").write_text(retired)
            return subprocess.run([sys.executable, str(script), driver.ASSAY, str(suites)], capture_output=True, text=True)
        (suites / "mustpass.txt").write_text("1.13 2.4 2.11 2.12 2.13 2.14 2.15  amp/was_here\n")
        self.assertIn("amp/was_here", verdict("").stdout)
        self.assertEqual(verdict("").returncode, 1)
        self.assertEqual(verdict(f"amp/was_here -> {known}\n").returncode, 0)
        self.assertEqual(verdict("amp/was_here -> amp/nowhere\n").returncode, 1)
        self.assertEqual(verdict("amp/was_here -> none: the clause is gone\n").returncode, 0)
        (suites / "mustpass.txt").write_text("-    2.4 2.11 2.12 2.13 2.14 2.15  amp/was_here\n")
        self.assertIn("no case is listed for 1.13", verdict("amp/was_here -> none: the clause is gone\n").stdout)


if __name__ == "__main__":
    driver.main()
