#!/usr/bin/env python3
"""What a stranger asks of a page, and where it answers without a script and without anything unfolded. Usage: questions_test.py <folder of
the programs>. Without Chromium and Selenium: 77."""

import datetime
import json

import browser
import imaginary_gpus
import pages

CASE = "amp/update_scale/backs_off_even_when_growth_was_due"


class Questions(browser.BrowserTest):
    """A single page with everything: a failing runtime with a waiver, three GPUs, and a record with missing numbers."""

    def setUp(self):
        super().setUp()
        waiver = {"cases": CASE, "reason": "is mended next week", "link": "a link", "owner": "somebody", "signature": "*differ*",
                  "expires": (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=9)).date().isoformat()}
        waivers = self.write("w.toml", "[[waiver]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in waiver.items()))
        self.record_of("run.json", "--subject", self.toy("wrong"), "--waivers", waivers)
        gpus = [self.write(f"{number}.json", json.dumps(imaginary_gpus.record(gpu))) for number, gpu in enumerate(imaginary_gpus.GPUS)]
        self.page_of(self.path("run.json"), *gpus, self.write("lacks.json", json.dumps(pages.a_bench())))
        self.view = self.opened(browser.DESKTOP, scripts=False)

    def test_each_has_its_answer(self):
        broken = [case for case in self.record("run.json")["subjects"][0]["cases"] if case["outcome"] == "fail"]
        nearest = next(case for case in broken if "reach" not in case)  # a training meets it
        first = min(clause for case in broken for clause in case["clauses"])
        self.assertIn(f"✗ FAILS: {pages.short(self.toy('wrong'))}", self.view.find_element("css selector", "h1").text)
        for question, place, answer in (
                ("To which PyTorch, by which rules?", "header", r"under 2\.15/cuda/strict \(PyTorch 2\.15\)"),
                ("What was only timed?", "header", r"Timed, but not run against the suites here: .*cuda"),
                ("Which clause failed?", "header", rf"Which rules are broken\?\s*{first} \w+"),
                ("What is accepted, and until when?", "header", r"What is waived\?\s*1 result, .*ends in [89] days"),
                ("How do I repeat a failure?", "#failures", rf"Run it again\s*\S*assay replay {nearest['id']}"),
                ("Is the second GPU faster than the first?", "header", r"Imaginary Two against Imaginary One:\nGPU: ✓ 9 faster, of 9\nhost: ✓ 1 faster, of 1\nhost and GPU: ✓ 1 faster, of 1"),
                ("And how sure is that?", "header", "any of the 22 tests finds a difference where there is none is at most 5.%"),
                ("What does a launch take on the third?", "header",
                 r"Imaginary Three, 2\.json(?s:(?!A launch: ).)*A launch: cuda 2.9\d\d.ns \([^)]*\)"),
                ("How far is unscale from the memory's limit at 16 MB?", "#bandwidth",
                 r"device/unscale/\S+\s+16\.8 MB\s+[\d\u202f]+.ns\s+[\d\u202f]+\s+1\d\d %"),
                ("How can it be above the limit?", "#bandwidth", "Smaller sizes may exceed it if a cache holds the data"),
                ("What was not measured, and why?", "header", r"What has no number\?\s*2 in lacks\.json, of 3: .*the checksum was wrong"),
                ("What is to be doubted?", "header", r"noise floor 1\.3 %; !.load"),
                ("Are these numbers real?", "main", "^! Synthetic"),
                ("Which machine and build?", "#environment", r"(?s)CPU.*built from.*1234567"),
                ("Where are the records?", "#records", r"run\.json.*bytes")):
            with self.subTest(question):
                self.assertRegex(self.view.execute_script("return document.querySelector(arguments[0]).innerText", place), answer)
        self.check_shape(self.view)


if __name__ == "__main__":
    browser.main(Questions)
