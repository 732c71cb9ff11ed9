#!/usr/bin/env python3
"""Tests `assay run` without arguments, and comparison with recorded replies. Usage: default_run_test.py <folder of the programs>."""

import gzip
import json
import os
import pathlib
import shlex
import shutil
import subprocess

import driver

SMALL = ["--filter", "amp/update_scale/*"]
RECORDED = driver.ROOT / "results" / "transcripts" / "2.11.0-cpu" / "amp.jsonl.gz"


def newest_on_a_cpu():
    folders = [path.name for path in RECORDED.parents[1].glob("*-cpu") if "libtorch" not in path.name]
    return max(folders, key=lambda name: [int(part) for part in name.split("-")[0].split(".")])


class DefaultRun(driver.ProgramTest):
    def run_all(self, *words, **more):
        done = driver.run_as_typed("run", *words, "--json", self.path("r.json"), "--junit", self.path("r.xml"), **more)
        record, _ = self.agreement(done)
        return done, {part["subject"]: part for part in record["subjects"]}

    def alone(self):
        """The program in a folder without other programs."""
        return shutil.copy(driver.ASSAY, self.path("assay"))

    def recorded(self, change):
        """A folder with the recorded cases of update_scale, each entry passed through `change`."""
        with gzip.open(RECORDED, "rt", encoding="utf-8") as file:
            head, *lines = file.read().splitlines()
        entries = [entry for entry in map(json.loads, lines) if entry["case"].startswith("amp/update_scale/")]
        for entry in entries:
            change(entry)
        folder = pathlib.Path(self.path("recorded"))
        folder.mkdir(exist_ok=True)
        (folder / "amp.jsonl").write_text("\n".join([head, *map(json.dumps, entries)]) + "\n", encoding="utf-8")
        return str(folder), len(entries)

    def test_both_witnesses_and_the_newest_transcripts_are_run(self):
        done, parts = self.run_all(*SMALL)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"reference against recorded {newest_on_a_cpu()}", parts)
        built = os.access(driver.BIN / "assay-cuda-on-cpu", os.X_OK)
        self.assertEqual("cuda_on_cpu" in parts, built)
        self.assertTrue(all(part["outcomes"].get("pass", 0) > 5 for part in parts.values()), done.stdout)
        self.assertRegex(driver.last_line(done), rf"^CONFORMS: {len(parts)} of {len(parts)} parts of the run conform$")

    def test_what_was_not_built_is_left_out_with_a_sentence(self):
        done, parts = self.run_all(*SMALL, executable=self.alone())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("left out: the subject 'cuda_on_cpu' was not built", done.stdout)
        self.assertIn(f"reference against recorded {newest_on_a_cpu()}", parts)

    def test_areas_that_one_witness_lacks_spoil_nothing(self):
        done, parts = self.run_all("--filter", "module/*")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(parts["reference"]["outcomes"]["pass"], 5)

    def test_nothing_selected_is_no_pass(self):
        done, _ = self.run_all("--filter", "nothing/*")
        self.assertEqual(done.returncode, 5, done.stdout)

    def test_without_transcripts_where_that_is_said(self):
        _, parts = self.run_all(*SMALL, "--transcripts", "none", executable=self.alone())
        self.assertEqual(list(parts), ["reference"])

    def test_a_subject_of_ones_own_is_held_to_transcripts_when_asked(self):
        words = ["--subject", f"{driver.ASSAY} serve reference", *SMALL]
        _, parts = self.run_all(*words)
        self.assertEqual(len(parts), 1)
        done, parts = self.run_all(*words, "--transcripts", "2.4.1-cpu", "-j", "2")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreater(list(parts.values())[1]["outcomes"]["pass"], 5)

    def test_a_changed_reply_is_noticed_and_can_be_repeated(self):
        def growth(entry):
            for _, reply in entry["exchanges"]:
                if "scale" in reply.get("ok", {}):
                    reply["ok"]["scale"] = {"f": "0x1.234p+5"}
        folder, count = self.recorded(growth)
        done, parts = self.run_all("--subject", "reference", *SMALL, "--transcripts", folder)
        self.assertEqual(done.returncode, 1, done.stdout)
        bad = [case for case in parts[f"reference against recorded {folder}"]["cases"] if case["outcome"] == "fail"]
        self.assertGreater(len(bad), count // 2)
        again = subprocess.run(shlex.split(bad[0]["replay"]), capture_output=True, text=True)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn(bad[0]["id"], again.stdout)

    def test_a_case_that_has_changed_is_stale_and_no_pass(self):
        folder, count = self.recorded(lambda entry: entry.update(case=entry["case"] + "_then"))
        done, _ = self.run_all("--subject", "reference", *SMALL, "--transcripts", folder)
        self.assertIn(f"NOTHING RAN: 0 of 0 cases pass on reference against recorded {folder}, {count} stale", done.stdout)

    def test_an_unknown_set_is_told_what_there_is(self):
        self.refused("run", *SMALL, "--transcripts", "newst", says=["'newst'", "did you mean newest?", "2.11.0-cpu"])
        os.mkdir(self.path("empty"))
        self.refused("run", *SMALL, "--transcripts", self.path("empty"), says=["has no transcripts"])
        self.write("empty/not.jsonl", "{}\n")
        self.refused("run", *SMALL, "--transcripts", self.path("empty"), says=["not.jsonl is not a transcript: line 1"])
        self.refused("replay", "2.11.0-cpu/ampp", says=["did you mean 2.11.0-cpu/amp", "assay list transcripts"])

    def test_transcripts_asked_for_that_fit_nobody_are_no_success(self):
        words = ("run", "--subject", "reference", *SMALL, "--transcripts", "2.11.0-cpu")
        for narrowed, why in ((("--release", "2.4"), "none of its cases is selected"), (("--exclude", "*"), None)):
            done = driver.run_as_typed(*words, *narrowed)
            self.assertEqual(done.returncode, 5, done.stdout)
            self.assertTrue(driver.last_line(done).startswith("NOTHING RAN"), done.stdout)
            if why:
                self.assertIn(why, done.stdout)
                self.assertIn("no recording that --transcripts names fits a subject", driver.last_line(done))
        both = driver.run_as_typed(*words, "--transcripts", "2.4.1-cpu", "--release", "2.4")
        self.assertEqual(both.returncode, 0, both.stdout)

    def test_transcripts_are_listed_and_replayed_by_name(self):
        rows = json.loads(driver.run("list", "transcripts", "--json").stdout)
        self.assertIn("2.11.0-cpu/amp", [row["name"] for row in rows])
        done = driver.run("replay", "2.11.0-cpu/amp", *SMALL)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(driver.last_line(done), r"^PASS reference matches (\d+) of \1 recorded cases, 0 differ")


if __name__ == "__main__":
    driver.main()
