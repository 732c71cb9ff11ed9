#!/usr/bin/env python3
"""Tests `assay report`: one valid page of runs, whatever the records contain. Usage: report_test.py <folder of the programs>."""

import json
import re

import driver
import pages


class RunPages(pages.PageTest):
    def test_a_page_names_the_verdict_the_cases_and_the_clauses(self):
        page, text = self.page_of(self.run_of("r.json"))
        words = "".join(page.texts)
        for subject in self.record()["subjects"]:
            self.assertIn(subject["line"].removeprefix(subject["verdict"]), words)
            for case in subject["cases"]:
                self.assertIn(f"case-{case['id']}", page.ids)
                for clause in case["clauses"]:
                    self.assertIn(f"clause-{clause}", page.ids)
        self.assertIn("default-src &#39;none&#39;", text)
        self.assertIn("exactly one of three branches runs", words, "the text of AMP-101")

    def test_failures_are_cards_that_say_how_to_repeat_them(self):
        page, text = self.page_of(self.run_of("r.json", "--subject", self.toy("wrong")), self.run_of("s.json", "--subject", self.toy("dies")))
        words = "".join(page.texts)
        bad = [case for name in ("r.json", "s.json") for case in self.record(name)["subjects"][0]["cases"] if case["outcome"] in ("fail", "crash")]
        self.assertGreater(len(bad), 2)
        self.assertEqual(text.count('class="card"'), len(bad))
        for case in bad:
            self.assertIn(case["failure"]["sentence"], words)
            self.assertIn(case["replay"], words)

    def test_hostile_text_is_text(self):
        record = self.record_of("r.json", "--subject", self.toy("wrong"))
        self.write("hostile.json", json.dumps(pages.shout(record)))
        page, _ = self.page_of(self.path("hostile.json"))
        self.assertEqual(len([link for link in page.links if link.startswith("data:")]), 1)
        words = "".join(page.texts)
        self.assertIn('"><script>alert(1)</script><!-- --> ]]> </style> \' & \\u{202e}\\u{2066} \\x1b[31m\\x00\\x07 \\u{2028}', words)

    def test_subjects_and_files_may_have_any_name(self):
        path = self.run_of("\"><script>'&\x1b\u202e.json", "--subject", self.toy("rude"))
        self.page_of(path)

    def test_equal_records_make_equal_pages(self):
        path = self.run_of("r.json")
        self.assertEqual(self.page_of(path)[1], self.page_of(path)[1])

    def test_contracts_stand_in_the_order_of_releases(self):
        path = self.path("r.json")
        driver.run("run", *driver.AMP, "--contracts", "all", "--json", path)
        page, text = self.page_of(path)
        heads = re.findall(r'<th scope="col"[^>]*>(\d+\.\d+)/cuda/strict</th>', text)
        self.assertEqual(heads[:7], ["1.13", "2.4", "2.11", "2.12", "2.13", "2.14", "2.15"])

    def test_broken_clauses_are_listed_with_who_broke_them(self):
        page, _ = self.page_of(self.run_of("r.json", "--subject", self.toy("wrong")))
        words = "".join(page.texts)
        bad = [case for case in self.record()["subjects"][0]["cases"] if case["outcome"] == "fail"]
        table = words[words.index(" in failed cases"):words.index(bad[0]["id"])]
        for clause in {clause for case in bad for clause in case["clauses"]}:
            self.assertIn(clause, table)

    def test_the_first_screen_has_the_verdict_and_the_broken_rules(self):
        page, text = self.page_of(self.run_of("r.json", "--subject", self.toy("wrong")))
        header = "".join(pages.Page(text[text.index("<header>"):text.index("<nav ")]).texts)
        self.assertIn(f"✗ FAILS: {pages.short(self.toy('wrong'))}", header)
        line = self.record()["subjects"][0]["line"].removeprefix("FAILS")
        self.assertIn(line.replace(self.toy("wrong"), pages.short(self.toy("wrong"))), header)
        broken = sorted({clause for case in self.record()["subjects"][0]["cases"] if case["outcome"] == "fail" for clause in case["clauses"]})
        for clause in broken[:5]:
            self.assertIn(clause, header)
        self.assertEqual(f"and {len(broken) - 5} more" in header, len(broken) > 5)

    def test_one_failure_of_two_subjects_is_one_card(self):
        record = self.record_of("r.json", "--subject", self.toy("wrong"))
        record["subjects"][0]["subject"] = "another"
        page, text = self.page_of(self.path("r.json"), self.write("s.json", json.dumps(record)))
        bad = [case for case in record["subjects"][0]["cases"] if case["outcome"] == "fail"]
        self.assertEqual(text.count('class="card"'), len(bad))
        self.assertIn(f"on {pages.short(self.toy('wrong'))} under {bad[0]['contract']}; another under {bad[0]['contract']}", "".join(page.texts))

    def test_a_page_of_many_different_failures_can_be_mailed(self):
        record = self.record_of("r.json", "--subject", self.toy("wrong"))
        cases, bad = [], next(case for case in record["subjects"][0]["cases"] if case["outcome"] == "fail")
        for i in range(2500):
            cases.append(json.loads(json.dumps(bad)) | {"id": f"amp/many/case_{i}"})
        paths = []
        for i in range(8):
            for k, case in enumerate(cases):
                case["failure"]["got"] = f"{i} of {k}"
            record["subjects"][0] |= {"subject": f"gpu{i}", "cases": cases}
            paths.append(self.write(f"g{i}.json", json.dumps(driver.recounted(record))))
        page, text = self.page_of(*paths)
        self.assertEqual(text.count('class="card"'), 100)
        self.assertIn("Failures without a card: 2500 cases", "".join(page.texts))
        self.assertIn("1500 more cases left out here; the records have all.", "".join(page.texts))
        self.assertIn("gpu0, gpu1, gpu2, gpu3 and 4 more", "".join(page.texts))
        self.assertLess(len(text.encode()), 5_000_000)


if __name__ == "__main__":
    driver.main()
