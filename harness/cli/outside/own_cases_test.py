#!/usr/bin/env python3
"""Tests user-defined cases. Usage: own_cases_test.py <folder of the programs>."""

import json
import pathlib
import subprocess

import driver

ONE_CASE = "amp/update_scale/*"


class OwnCases(driver.ProgramTest):
    def own_cases(self, result, case="core/mine/echoes"):
        """A folder with one case, which expects the reply `result` to `value`."""
        program = {"case": case, "exchanges": [[{"id": 1, "do": "value", "with": {"value": 7}}, {"id": 1, "ok": {"result": result}}]]}
        folder = pathlib.Path(self.path("own"))
        folder.mkdir(exist_ok=True)
        (folder / "mine.jsonl").write_text('{"transcript": 1}\n' + json.dumps(program) + "\n")
        return str(folder)

    def test_cases_of_a_folder_are_listed_and_run_like_others(self):
        folder = self.own_cases(7)
        self.assertIn("core/mine/echoes", driver.run("list", "--cases", folder).stdout)
        self.assertIn("mine.jsonl:2", driver.run("explain", "core/mine/echoes", "--cases", folder).stdout)
        done, record, _ = self.run_and_agree("--cases", folder, "--filter", "core/mine")
        self.assertEqual((done.returncode, record["subjects"][0]["outcomes"]), (0, {"pass": 1}), done.stdout)

    def test_a_case_of_a_folder_that_fails_names_its_line_and_can_be_replayed(self):
        done, record, _ = self.run_and_agree("--cases", self.own_cases(8), "--filter", "core/mine")
        case = record["subjects"][0]["cases"][0]
        self.assertEqual((done.returncode, case["failure"]["where"]), (1, "mine.jsonl:2"))
        self.assertIn("command 1 of 1", case["failure"]["sentence"])
        again = subprocess.run(case["replay"], shell=True, capture_output=True, text=True)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_a_folder_of_cases_that_is_wrong_is_refused_with_line_and_reason(self):
        taken = json.loads(driver.run("list", "--filter", ONE_CASE, "--json").stdout)[0]["id"]
        self.refused("list", "--cases", self.own_cases(7, taken), says=["mine.jsonl:2", "is taken"])
        self.refused("run", "--cases", self.own_cases(7, "Mine"), says=["mine.jsonl:2", "'case' is 'Mine'"])
        self.refused("run", "--cases", "/no/such/folder", says=["/no/such/folder"])
        (pathlib.Path(self.path("own")) / "mine.jsonl").write_text("{\n")
        self.refused("run", "--cases", self.path("own"), says=["mine.jsonl:1"])

    def test_of_many_cases_with_one_that_is_taken_the_second_is_named(self):
        def line(name):
            return json.dumps({"case": f"core/mine/{name}", "exchanges": [[{"id": 1, "do": "value", "with": {"value": 7}}, {"id": 1, "ok": {"result": 7}}]]}) + "\n"

        (self.folder / "own").mkdir()
        names = ["b", "d", "a", "c"]
        self.write("own/mine.jsonl", '{"transcript": 1}\n' + "".join(map(line, names)))
        listed = driver.run("list", "--cases", self.path("own"), "--filter", "core/mine/*", "--json").stdout
        self.assertEqual([case["id"] for case in json.loads(listed)], [f"core/mine/{name}" for name in sorted(names)])
        self.write("own/more.jsonl", '{"transcript": 1}\n' + "".join(map(line, ["e", "c", "f", "e"])))
        self.refused("list", "--cases", self.path("own"), says=["more.jsonl:3: the id 'core/mine/c' is taken by the case at ", "mine.jsonl:5"])
        self.write("own/more.jsonl", '{"transcript": 1}\n' + "".join(map(line, ["f", "e", "f"])))
        self.refused("list", "--cases", self.path("own"), says=["more.jsonl:4: the id 'core/mine/f' is taken by the case at ", "more.jsonl:2"])


if __name__ == "__main__":
    driver.main()
