#!/usr/bin/env python3
"""Tests `assay report --md` and `--csv`: the same records as text. Usage: report_texts_test.py <folder of the programs>."""

import csv
import json

import driver
import pages


class Texts(pages.PageTest):
    def test_litmus_programs_are_shown_with_how_often_each_outcome_was_seen(self):
        driver.run("litmus", "LT-15", "-n", "20", "--json", self.path("l.json"))
        record = self.record("l.json")
        record["programs"][0]["seen"].append({"outcome": [7], "permitted": False, "times": 3})
        record["programs"][1]["lacking"] = "no events" + pages.HOSTILE
        self.write("l.json", json.dumps(record))
        page, _ = self.page_of(self.path("l.json"))
        words = "".join(page.texts)
        for part in (record["programs"][0]["name"], "✗ forbidden", "3 of 20 runs", "no events", record["line"].split(" ", 1)[1]):
            self.assertIn(part, words)
        driver.run("report", self.path("l.json"), "--csv", self.path("l.csv"), "--md", self.path("l.md"))
        with open(self.folder / "l.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, strict=True))
        self.assertEqual(sum(int(row["value"] or 0) for row in rows), 43)
        self.assertIn(("LT-15a", "forbidden", "3"), [(row["case"], row["result"], row["value"]) for row in rows])
        self.assertIn("| forbidden | 3 |", (self.folder / "l.md").read_text(encoding="utf-8"))

    def test_markdown_has_the_records_and_what_differs(self):
        run = self.run_of("r.json", "--subject", self.toy("wrong"))
        benches = [self.write(name, json.dumps(pages.a_bench())) for name in ("a.json", "b.json")]
        done = driver.run("report", run, *benches, "--md", self.path("all.md"), "--csv", self.path("all.csv"), "-o", self.path("p.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "all.md").read_text(encoding="utf-8")
        self.assertEqual(text.count("\n# ") + text.startswith("# "), 3)
        self.assertIn("what went wrong", text.lower())
        self.assertIn("| dispatch/typed/tensors=1 |", text.replace("\\", ""))
        self.assertIn("COMPARED 1 of 3 pairs", text)
        self.assertTrue((self.folder / "p.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>"))

    def test_the_name_of_the_output_says_what_is_written(self):
        path = self.write("a.json", json.dumps(pages.a_bench()))
        for name, kind, opening in (("x.md", "Markdown", "# FAIL"), ("x.csv", "CSV", "record,subject"),
                                    ("x.html", "HTML", "<!DOCTYPE html>"), ("x", "HTML", "<!DOCTYPE html>")):
            self.assertIn(f" bytes of {kind}, made from 1 record", driver.run("report", path, "-o", self.path(name)).stdout)
            self.assertTrue((self.folder / name).read_text(encoding="utf-8").startswith(opening), name)
        driver.run("report", path, "--html", self.path("y.csv"))
        self.assertTrue((self.folder / "y.csv").read_text(encoding="utf-8").startswith("<!DOCTYPE html>"))

    def test_csv_has_a_line_a_result_and_a_line_a_measurement(self):
        record = self.record_of("r.json", "--subject", self.toy("wrong"))
        self.write("hostile.json", json.dumps(pages.shout(record)))
        bench = pages.a_bench()
        bench["measurements"][1]["reason"] = "=1+1,\n\"x\""
        driver.run("report", self.path("hostile.json"), self.write("b.json", json.dumps(bench)), "-o", self.path("all.csv"))
        with open(self.folder / "all.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, strict=True))
        cases = record["subjects"][0]["cases"]
        self.assertEqual(len(rows), len(cases) + 3)
        self.assertTrue(all(None not in row and None not in row.values() for row in rows), "as many fields as names")
        shown = "".join(f"\\x{ord(each):02x}" if each < " " else f"\\u{{{ord(each):x}}}" if each > "~" else each for each in pages.HOSTILE)
        for row, case in zip(rows, cases):
            self.assertEqual((row["record"], row["case"], row["result"]), ("hostile.json", case["id"] + shown, case["outcome"]))
        measured, lacking, _ = rows[len(cases):]
        self.assertEqual([float(measured[name]) for name in ("value", "low", "high", "processes")], [100.5, 99.5, 101.5, 8])
        self.assertEqual((lacking["result"], lacking["value"], lacking["reason"]), ("unsupported", "", "'=1+1,\n\"x\""))


if __name__ == "__main__":
    driver.main()
