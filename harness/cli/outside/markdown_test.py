#!/usr/bin/env python3
"""Tests Markdown of runs, reports and comparisons with GitHub's own parser. Usage: markdown_test.py <folder of the programs>."""

import html.parser
import json
import shutil
import subprocess
import unittest

import driver
import pages

PARSER = shutil.which("cmark-gfm")
# The elements that we write: no link, no image, and nothing that comes from a text.
ELEMENTS = {"h1", "h2", "h3", "p", "ul", "li", "strong", "code", "table", "thead", "tbody", "tr", "th", "td"}


class Read(html.parser.HTMLParser):
    """The rendered page: its elements, the rows of each table, and the text."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.elements, self.tables, self.texts = set(), [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.add(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append(0)
        elif tag in ("th", "td"):
            self.tables[-1][-1] += 1

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return "".join(self.texts)


@unittest.skipIf(PARSER is None, "apt install cmark-gfm")
class Markdown(driver.ProgramTest):
    def read(self, name):
        text = (self.folder / name).read_text(encoding="utf-8")
        # Raw HTML is permitted here, so that it would be detected.
        words = [PARSER, "--unsafe", "--extension", "table", "--extension", "autolink", "--extension", "strikethrough"]
        page = Read(subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout)
        self.assertLessEqual(page.elements, ELEMENTS)
        self.assertTrue(page.tables)
        # The renderer truncates rows that are too long and fills those that are too short, so the source is counted too.
        self.assertEqual(sum(len(table) + 1 for table in page.tables), sum(line.startswith("|") for line in text.split("\n")))
        for table in page.tables:
            self.assertEqual(len(set(table)), 1)
        return page

    def run_of(self, name, *words):
        driver.run("run", *driver.AMP, *driver.ONE_CONTRACT, "--subject", self.toy("wrong"), "--json", self.path(name), *words)
        return self.path(name)

    def test_of_a_run(self):
        self.run_of("r.json", "--markdown", self.path("r.md"))
        page = self.read("r.md")
        bad = [case for case in self.record()["subjects"][0]["cases"] if case["outcome"] == "fail"]
        for case in bad[:40]:
            self.assertIn(case["id"], page.text)
            self.assertIn(case["replay"], page.text)

    def test_of_a_report_and_of_a_comparison(self):
        benches = [self.path(name) for name in ("a.json", "b.json")]
        for path in benches:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(pages.a_bench(), file)
        driver.run("litmus", "LT-15", "-n", "20", "--json", self.path("l.json"))
        driver.run("report", self.run_of("r.json"), *benches, self.path("l.json"), "-o", self.path("all.md"))
        page = self.read("all.md")
        for part in ("dispatch/typed/tensors=1", "99.5 – 101.5", "unsupported: no such call", "the machine was busy", "LT-15a", "1 same"):
            self.assertIn(part, page.text)
        self.assertEqual(len(page.tables), 5)
        driver.run("compare", *benches, "--md", self.path("c.md"))
        self.assertEqual(self.read("c.md").tables, page.tables[-1:])

    def test_hostile_text_is_text(self):
        hostile = pages.HOSTILE + "|[x](http://x)![y](z) <b>*_`~~#1 @you\n# head\n| a |"
        self.run_of("r.json")
        self.write("h.json", json.dumps(pages.shout(self.record())))
        bench = pages.a_bench()
        for measured in bench["measurements"]:
            measured["case"] += hostile
            measured["reason"] = measured["reason"] and measured["reason"] + hostile
        for part in (bench["environment"], bench["subjects"][0], bench["warnings"][0], bench["meta"]):
            part |= {name: value + hostile for name, value in part.items()
                     if isinstance(value, str) and name not in ("id", "contract", "via", "started", "build_type")}
        benches = [self.write(name, json.dumps(bench)) for name in ("a.json", "b.json")]
        driver.run("report", self.path("h.json"), *benches, "-o", self.path("all.md"))
        page = self.read("all.md")
        self.assertIn("[x](http://x)![y](z) <b>*_`~~#1 @you", page.text)
        self.assertIn("<script>alert(1)</script>", page.text)


if __name__ == "__main__":
    driver.main()
