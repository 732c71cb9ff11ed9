#!/usr/bin/env python3
"""Tests the output of a run: amount, width, colours. Usage: output_test.py <folder of the programs>."""

import json
import os
import re

import driver

SGR = re.compile(r"\x1b\[[0-9;]*m")
REACHES = ["training", "state", "arguments", "width", "words"]


def reach_of(case):
    return REACHES.index(case.get("reach", "training"))


class Output(driver.ProgramTest):
    def failing(self, *words, columns="100", **more):
        """A subject that fails many cases of several clauses."""
        done = driver.run("run", "--subject", self.toy("wrong"), *driver.AMP, "--json", self.path("r.json"), *words,
                          env=os.environ | {"COLUMNS": columns} | more)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        red = [case for case in self.record()["subjects"][0]["cases"] if case["outcome"] == "fail"]
        self.red = sorted(red, key=reach_of)  # the order of the output
        self.assertGreater(len(self.red), 7)
        return done.stdout

    def cards_in(self, text):
        return re.findall(r"(?m)^FAIL  (amp/\S+) ", text)

    def lines_in(self, text):
        return re.findall(r"(?m)^  fail +(amp/\S+)  ", text)

    def listed_in(self, text):
        return re.findall(r"(?m)^  fail +\S*assay replay (amp/\S+) --subject ", text)

    def test_the_first_failures_are_cards_the_others_lines_and_all_are_listed(self):
        said = self.failing()
        self.assertEqual(len(self.cards_in(said)), 5)
        self.assertEqual(len(self.lines_in(said)), len(self.red) - 5)
        self.assertEqual(self.cards_in(said) + self.lines_in(said), [case["id"] for case in self.red])
        self.assertEqual(self.listed_in(said), [case["id"] for case in self.red])
        for case in self.red:
            self.assertIn(f"\n  fail      {case['replay']}\n", said)

    def test_clauses_are_counted_with_their_titles(self):
        said = self.failing()
        counts, reach = {}, {}
        for case in self.red:
            clause = case["clauses"][0]  # the one that the case is about
            counts[clause] = counts.get(clause, 0) + 1
            reach.setdefault(clause, reach_of(case))
        shown = re.findall(r"(?m)^ +(\d+)  ([A-Z]+-\d+)  \S", said)
        self.assertGreater(len(shown), 1)
        self.assertEqual({clause: int(count) for count, clause in shown},
                         {clause: counts[clause] for _, clause in shown})
        order = sorted((reach[clause], -count) for clause, count in counts.items())
        self.assertEqual([(reach[clause], -int(count)) for count, clause in shown], order[:len(shown)])

    def test_the_number_of_cards_can_be_chosen(self):
        self.assertEqual(len(self.cards_in(self.failing("--cards", "2"))), 2)
        none = self.failing("--cards", "0")
        self.assertEqual((self.cards_in(none), len(self.lines_in(none))), ([], len(self.red)))
        self.assertEqual(len(self.cards_in(self.failing("--cards", "1000"))), len(self.red))
        self.refused("run", "--cards", "x", says=["--cards"])

    def test_each_of_two_subjects_has_its_cards_and_its_list(self):
        done = driver.run("run", "--subject", self.toy("wrong"), "--subject", self.toy("dies"), *driver.AMP, "--shard", "1/2", "--cards", "1")
        self.assertEqual(len(re.findall(r"(?m)^FAIL  amp/", done.stdout)), 1)
        self.assertEqual(len(re.findall(r"(?m)^CRASH  amp/", done.stdout)), 1)
        self.assertEqual(len(re.findall(r"(?m)^\d+ failures, repeated by$", done.stdout)), 2)

    def test_a_single_failure_is_told_once(self):
        done = driver.run("run", "--subject", self.toy("wrong"), "amp/update_scale/counts_in_integers", *driver.ONE_CONTRACT)
        self.assertEqual((len(self.cards_in(done.stdout)), done.stdout.count(" replay amp/")), (1, 1), done.stdout)
        self.assertNotIn("repeated by", done.stdout)
        quiet = driver.run("run", "-q", "--subject", self.toy("wrong"), "amp/update_scale/counts_in_integers", *driver.ONE_CONTRACT)
        self.assertEqual((self.cards_in(quiet.stdout), quiet.stdout.count(" replay amp/")), ([], 1), quiet.stdout)

    def test_quiet_is_the_list_and_the_verdict(self):
        said = self.failing("-q").splitlines()
        self.assertEqual(said[0], f"{len(self.red)} failures, repeated by")
        self.assertEqual(len([line for line in said if " replay " in line]), len(self.red))
        self.assertTrue(said[-1].startswith("FAILS: "))
        self.assertFalse([line for line in said if line.startswith(("FAIL  ", "  clause", "  amp "))])
        done = driver.run("run", "-q", *driver.AMP)
        self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)
        self.refused("run", "-q", "-v", says=["--verbose"])

    def test_verbose_is_every_case_and_every_card(self):
        said = self.failing("-v")
        cases = self.record()["subjects"][0]["cases"]
        for case in cases:
            self.assertRegex(said, rf"(?m)^{case['outcome']} +{re.escape(case['id'])} ")
        self.assertEqual(len(self.cards_in(said)), len(self.red))
        self.assertEqual(len(self.cards_in(self.failing("-v", "--cards", "3"))), 3)

    def test_the_slowest_cases_are_named_with_their_times(self):
        done = driver.run("run", *driver.AMP, "--durations", "3", "--json", self.path("r.json"))
        cases = sorted(self.record()["subjects"][0]["cases"], key=lambda case: -case["seconds"])
        shown = re.findall(r"(?m)^ +(\d+\.\d{3}) s  (\S+)  ", done.stdout)
        self.assertEqual([(f"{case['seconds']:.3f}", case["id"]) for case in cases[:3]], shown)
        self.assertIn(f"slowest 3 of {len(cases)} cases\n", done.stdout)

    def test_cards_are_as_wide_as_the_terminal_and_hold_whole_tokens(self):
        widths = {}
        for columns in (60, 100, 160):
            said = self.failing("--cards", "1000", columns=str(columns))
            lines = [line for line in said.splitlines() if " replay " not in line and not line.startswith(("FAIL  ", "FAILS: "))]
            lines = lines[lines.index(next(line for line in lines if line.startswith("  clause"))):]
            widths[columns] = max(map(len, lines))
            self.assertLessEqual(widths[columns], columns, [line for line in lines if len(line) > columns])
            self.assertGreater(widths[columns], columns * 0.8)
            for line in said.splitlines():
                # A quote that opens in a line of JSON closes in it.
                if re.match(r" +[<>] \{|  command +\{|  reply +\{", line):
                    self.assertEqual(line.count('"') % 2, 0, line)

    def test_colours_are_chosen(self):
        self.assertNotRegex(self.failing(), SGR)
        self.assertRegex(self.failing("--color", "always"), "\x1b\\[1;31mFAIL\x1b\\[0m  ")
        self.assertRegex(self.failing("--color", "always", NO_COLOR="1"), SGR)
        self.assertNotRegex(self.failing("--color", "never"), SGR)
        plain = self.failing("--cards", "9")
        painted = SGR.sub("", self.failing("--cards", "9", "--color", "always"))
        self.assertEqual(re.sub(r"[\d.]+ s\n", "", painted), re.sub(r"[\d.]+ s\n", "", plain))
        self.refused("run", "--color", "alwys", says=["'alwys' is not one of auto, always, never; did you mean always?"])

    def test_a_log_gets_a_line_now_and_then(self):
        slow = ["run", "--subject", self.toy("slow", "0.1"), *driver.AMP, *driver.ONE_CONTRACT]
        done = driver.run(*slow, env=os.environ | {"ASSAY_HEARTBEAT": "0.05"})
        first = done.stderr.splitlines()[0]
        self.assertRegex(first, r"^assay: \d+ of \d+ cases done after \d+ s.*; at amp/update_scale/")
        self.assertNotIn("\r", done.stderr)
        self.assertEqual(driver.run(*slow, env=os.environ | {"ASSAY_HEARTBEAT": "0"}).stderr, "")


class Words(driver.ProgramTest):
    def chosen(self, *words):
        done = driver.run("run", *words, "--json", self.path("r.json"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return {case["id"] for case in self.record()["subjects"][0]["cases"]}

    def test_words_choose_cases(self):
        update = self.chosen("--filter", "amp/update_scale/*")
        dtype = self.chosen("--filter", "core/dtype/*")
        self.assertEqual(self.chosen("amp/update_scale"), update)
        self.assertEqual(self.chosen("amp/update_sc"), update)
        self.assertEqual(self.chosen("amp/update_scale", "core/dtype"), update | dtype)
        self.assertEqual(self.chosen("amp/update_scale", "--filter", "core/dtype/*"), update | dtype)
        self.assertEqual(self.chosen("AMP-105"), self.chosen("--filter", "AMP-105"))
        one = sorted(update)[0]
        self.assertEqual(self.chosen(one), {one})

    def test_a_word_that_chooses_nothing_is_an_error(self):
        self.refused("run", "amp/updte_scale", says=["no case is or begins with 'amp/updte_scale'; did you mean amp/update_scale"])
        self.refused("run", "amp/update_scale", "AMP-9O5", says=["'AMP-9O5'"])

    def test_an_option_takes_one_word_and_leaves_the_next(self):
        self.assertEqual(self.chosen("--filter", "amp/update_scale/*", "core/dtype"),
                         self.chosen("amp/update_scale", "core/dtype"))


class Help(driver.ProgramTest):
    def test_nothing_asked_is_help_and_no_success(self):
        for words in ([], ["waivers"]):
            done = driver.run(*words)
            self.assertEqual((done.returncode, done.stderr), (2, ""))
            self.assertEqual(done.stdout, driver.run(*words, "--help").stdout)
        self.assertIn("\nCheck a runtime:\n  run ", driver.run().stdout)

    def test_every_command_stands_under_an_errand(self):
        said = driver.run("--help").stdout
        listed = driver.run("frobnicate").stderr.split("commands: ")[1].strip().split(", ")
        for command in listed:
            self.assertRegex(said, rf"(?m)^  {command} ")
        self.assertNotIn("\nCommands:", said)

    def test_help_fits_the_terminal(self):
        for columns in (60, 100, 140):
            for command in ([], ["run"], ["replay"], ["fuzz"], ["waivers", "suggest"]):
                done = driver.run(*command, "--help", env=os.environ | {"COLUMNS": str(columns)})
                self.assertEqual(done.returncode, 0)
                wide = [line for line in done.stdout.splitlines() if len(line) > columns]
                self.assertEqual([line for line in wide if "assay " not in line], [], command)

    def test_mistyped_options_and_values_are_answered_with_the_nearest(self):
        self.refused("run", "--filtr", "x", says=["assay run: unknown option '--filtr'; did you mean --filter"])
        self.refused("run", "--subjct=x", says=["'--subjct'; did you mean --subject"])
        self.refused("list", "casess", says=["'casess' is not one of cases, clauses, ", "did you mean cases"])
        self.refused("run", "--release", "2.1", says=["--release: '2.1' is not one of 1.13, 2.4, 2.11, 2.12, 2.13, 2.14, 2.15; did you mean 2.11"])
        self.refused("run", "-j", "0", says=["expected a number from 1 to 256, got '0'"])
        self.refused("explain", "AMP-105", "AMP-106", says=["'AMP-106' is one argument too many"])
        self.refused("replay", says=["assay replay: ", "required"])
        self.refused("--flter", says=["assay: unknown option '--flter'"])


class Hostile(driver.ProgramTest):
    """Subjects' names and texts at each outlet."""

    TEXT = "\n".join(("::add-mask::secret", "  ::stop-commands::x", "got ##[error]mine", "a\x1b[2Jb\x07", "a\u202eb\u009bc",
                      "PASS 1 of 1 cases", "CONFORMS: all", "::error::x", "@someone"))

    def subject(self, name):
        """A subject with this name, which also writes it in errors and on standard error, and sometimes dies."""
        return self.write(f"subject{abs(hash(name))}.py", f"""
import json, os, sys
text = {name!r}
sys.stderr.reconfigure(errors="replace")
for count, line in enumerate(sys.stdin):
    command = json.loads(line)
    reply = {{"id": command["id"]}}
    if command["do"] == "hello":
        reply["ok"] = {{"protocol": 1, "name": text, "version": text, "devices": [{{"device": "cpu"}}], "areas": ["amp"],
                       "threads": False, **command["with"]}}
    elif command["do"] == "reset":
        reply["ok"] = {{"uncleaned": []}}
    elif count % 5 == 4:
        print(text, file=sys.stderr, flush=True)
        os._exit(3)
    else:
        reply["error"] = {{"kind": "error", "message": text}}
    print(json.dumps(reply), flush=True)
""")

    def said(self, *words, **env):
        """A run of two such subjects."""
        subjects = [word for text in (self.TEXT, self.TEXT[2:]) for word in ("--subject", f"python3 {self.subject(text)}")]
        done = driver.run("run", *subjects, *driver.AMP, "--shard", "1/4", "--cards", "3", *driver.ONE_CONTRACT, "--json",
                          self.path("r.json"), "--markdown", self.path("r.md"), *words, env=os.environ | env)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(self.TEXT, [subject["hello"]["name"] for subject in self.record()["subjects"]])  # the record keeps it
        return done.stdout + done.stderr

    def check_characters(self, text):
        bad = [c for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7f <= ord(c) < 0xa0 or c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"]
        self.assertEqual(bad, [])

    def test_no_text_of_a_subject_is_more_than_text(self):
        for words in ([], ["-v"], ["-q"]):
            with self.subTest(words=words):
                text = self.said(*words)
                self.check_characters(text)
                self.assertNotRegex(text, r"(?m)^(PASS|CONFORMS)\b")
                page = (self.folder / "r.md").read_text(encoding="utf-8")
                self.check_characters(page)
                self.assertNotIn("@someone", page)

    def test_no_text_of_a_subject_is_a_command_to_github(self):
        ours = re.compile(r"^::(error file=suites/|notice::\d+ more cases )")
        for words in ([], ["-v"]):
            with self.subTest(words=words):
                text = self.said(*words, GITHUB_ACTIONS="true")
                self.check_characters(text)
                lines = text.splitlines()
                self.assertEqual([line for line in lines if line.lstrip().startswith("::") and not ours.match(line)], [])
                self.assertEqual([line for line in lines if "##[" in line], [])
                self.assertGreater(len([line for line in lines if ours.match(line)]), 5)
                self.assertIn("\\x3a:stop-commands::x", text)  # where it begins a line

    def test_a_file_or_a_typed_name_is_no_command_either(self):
        for words in (["run", "--subject", "x\n::add-mask::y"], ["run", "--filter", "x\n::add-mask::y"], ["explain", "##[error]x\x1b"],
                      ["run", "no\x1b[2J\n##[x]"], ["run", "--release", "\n::x::"], ["frob\n::x::"], ["diff", "\n::a::", "##[b]"]):
            done = driver.run(*words, env=os.environ | {"GITHUB_ACTIONS": "true"})
            text = done.stdout + done.stderr
            self.assertNotEqual(done.returncode, 0, words)
            self.check_characters(text)
            commands = [line for line in text.splitlines() if line.lstrip().startswith("::") or "##[" in line]
            self.assertEqual([line for line in commands if not line.startswith("::error title=NOTHING RAN::")], [], words)

    def test_a_record_in_the_log_of_a_ci_system_is_no_command(self):
        for option, written in (("json", "r.json"), ("junit", "r.xml"), ("markdown", "r.md")):
            with self.subTest(option):
                self.said("--junit", self.path("r.xml"))
                record = (self.folder / written).read_text(encoding="utf-8")
                self.assertIn("[error]mine", record.replace("\\", ""))
                self.assertEqual([line for line in record.splitlines() if "##[" in line or line.lstrip().startswith("::")], [])

    def test_no_line_of_an_error_looks_like_a_verdict(self):
        name = "x\nPASS 1 of 1\n CONFORMS: all"
        for words in (["run", "--subject", name], ["diff", name, name], ["run", name], ["list", "--cases", name], ["bench", "--against", name]):
            done = driver.run(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual([line for line in done.stderr.splitlines()[1:] if not line.startswith(" ")], [], words)

    def test_a_waiver_of_many_lines_is_no_verdict(self):
        waiver = 'cases = "x\\nPASS 9 of 9 waivers are in order"\nreason = "r"\nlink = "l"\nowner = "o"\nexpires = "2999-12-31"\nsignature = "*"\n'
        done = driver.run("waivers", "check", self.write("w.toml", "[[waiver]]\n" + waiver))
        self.assertEqual(done.returncode, 6, done.stdout + done.stderr)
        self.assertNotRegex(done.stdout, "(?m)^PASS")

    def test_json_under_github_stays_json(self):
        rows = [json.loads(driver.run("list", "faults", "--json", env=os.environ | more).stdout) for more in ({}, {"GITHUB_ACTIONS": "true"})]
        self.assertEqual(*rows)


if __name__ == "__main__":
    driver.main()
