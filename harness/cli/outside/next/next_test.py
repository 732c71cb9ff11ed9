#!/usr/bin/env python3
"""Tests of `assay next`, on a subject of which commands are missing. Usage: next_test.py <folder of the programs>."""

import json
import os
import pathlib
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402

ONE_CONTRACT = driver.ONE_CONTRACT


class Next(driver.ProgramTest):
    def half_built(self, areas, commands):
        built = self.write("built", "\n".join(commands))
        return f"{sys.executable} {driver.HERE / 'subjects/half_built_subject.py'} {areas} {built} {driver.BIN / 'assay-reference'}"

    def next(self, subject, *words, exit_code):
        done = driver.run("next", "--subject", subject, *ONE_CONTRACT, "--json", *words)
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_who_builds_what_it_names_is_done_at_last(self):
        built, passed = [], [0]
        while "next" in (step := json.loads(driver.run("next", "--subject", self.half_built("loss_scale", built), "--level", "loss_scale", *ONE_CONTRACT, "--json").stdout)):
            found = step["next"]
            self.assertNotIn(found["command"], built)
            self.assertGreater(found["needed_by"], 0)
            self.assertGreaterEqual(step["levels"][0]["passed"], passed[-1])
            passed.append(step["levels"][0]["passed"] + found["unlocks"])
            built.append(found["command"])
        self.assertEqual(step["levels"][0], step["levels"][0] | {"passed": step["levels"][0]["cases"], "failed": 0, "unanswered": 0})
        self.assertEqual(built[0], "loss_scale.new")  # without it nothing else can be asked
        self.assertEqual({name for name in built if name.startswith("loss_scale")}, set(self.commands("loss_scale")))

    def test_it_shows_the_command_with_its_arguments_and_two_replies_that_conform(self):
        step = self.next(self.half_built("loss_scale", []), exit_code=4)
        found = step["next"]
        self.assertIn("growth_interval: int", found["with"])
        self.assertEqual(len(found["examples"]), 2)
        self.assertNotEqual(*[example["command"]["with"] for example in found["examples"]])
        for example in found["examples"]:
            self.assertEqual(example["command"]["do"], found["command"])
            self.assertIn("ok", example["reply"])
        done = driver.run("next", "--subject", self.half_built("loss_scale", []), *ONE_CONTRACT)
        self.assertIn(f"\nnext       {found['command']}\n", done.stdout)
        self.assertIn("growth_interval: int", done.stdout)
        self.assertRegex(done.stdout, r"0 of \d+ cases pass, \d+ are not answered")

    def test_a_failure_is_shown_beside_what_is_not_answered(self):
        subject = self.mistaken("grows late")[1]
        step = self.next(subject, "--level", "amp", exit_code=1)
        self.assertGreater(step["levels"][0]["failed"], 0)
        self.assertIn("replay " + step["failure"]["case"], step["failure"]["replay"])
        self.assertTrue(step["failure"]["expected"] and step["failure"]["got"])
        done = driver.run("next", "--subject", subject, "--level", "amp", *ONE_CONTRACT)
        self.assertIn("the shortest failure of amp", done.stdout)
        self.assertIn(step["failure"]["case"], done.stdout)

    def test_after_what_is_claimed_comes_what_is_not(self):
        every = [name for area in ("loss_scale", "session", "values") for name in self.commands(area)]
        subject = self.half_built("loss_scale", every)
        step = self.next(subject, exit_code=4)
        self.assertEqual([(level["area"], level["claimed"]) for level in step["levels"]], [("loss_scale", True), ("core", False)])
        self.assertIn("next       claim 'core' in hello, and answer ", driver.run("next", "--subject", subject, *ONE_CONTRACT).stdout)

    def commands(self, area):
        table = driver.HERE.parents[1] / "protocol/areas" / f"{area}.json"
        return json.loads(table.read_text(encoding="utf-8")).get("commands", {})

    def test_what_a_support_file_excuses_is_not_next_and_shows_nothing(self):
        everything = self.write("s.toml", '[[unsupported]]\ncases = "loss_scale/*"\ncommand = "loss_scale.*"\nreason = "never"\n')
        step = self.next(self.half_built("loss_scale", []), "--level", "loss_scale", "--support", everything, exit_code=5)
        self.assertEqual(step["levels"][0]["excused"], step["levels"][0]["cases"])
        self.assertNotIn("next", step)

    def test_json_stays_json_whatever_a_name_holds(self):
        name = "a\u202eb\x7f\x85::error::c##[error]d"
        subject = f"{self.mistaken('grows late')[1]} {shlex.quote(name)}"
        for words in (["next", "--level", "amp", "--subject", subject, *ONE_CONTRACT], ["port", "2.13", "2.15", "--filter", "core/scalar_to/*", "--subject", subject]):
            done = driver.run(*words, "--json", env=os.environ | {"GITHUB_ACTIONS": "true"})
            self.assertEqual(json.loads(done.stdout)["subject"], subject, done.stderr)
            self.assertNotRegex(done.stdout, "(?m)[\u202e\x7f\x85]|^ *::|##\\[")

    def test_a_runtime_with_everything_has_nothing_left(self):
        self.assertEqual(self.next("reference", "--level", "amp", exit_code=0)["levels"][0]["unanswered"], 0)
        done = driver.run("next", "--subject", "reference", "--level", "amp", *ONE_CONTRACT)
        self.assertIn("nothing is left", done.stdout)

    def test_wrong_words_and_subjects_are_named(self):
        self.refused("next", says=["--subject"])
        self.refused("next", "--subject", "reference", "--level", "apm", says=["there is no area 'apm'", "amp"])
        self.refused("next", "--subject", "python3 /no/such.py", says=["cannot start"])
        self.assertEqual(self.next(self.toy("dies"), "--level", "amp", exit_code=1)["failure"]["outcome"], "crash")


driver.main()
