#!/usr/bin/env python3
"""`assay report`: one page, sound whatever is in the records, and the records in it. Usage: report_test.py <folder of the programs>."""

import csv
import html.parser
import json
import pathlib
import re
import unittest

import driver

# Text that would end an element, a comment, a section or a script, turn text round, or be no text at all.
HOSTILE = "\"><script>alert(1)</script><!-- --> ]]> </style> ' & \u202e\u2066 \x1b[31m\x00\x07 \u2028 <a download=\"x.gz\" href=\"data:application/gzip;base64,AAAA\">"
WITHOUT_END = {"meta", "br", "hr", "col", "input", "wbr"}
# What the page is made of; nothing that loads, and no handler.
ELEMENTS = {"html", "head", "meta", "title", "style", "body", "main", "header", "nav", "section", "article", "h1", "h2", "h3", "p", "ul", "ol",
            "li", "dl", "dt", "dd", "div", "span", "b", "strong", "small", "a", "code", "pre", "br", "table", "caption", "thead", "tbody", "tr", "th",
            "td", "details", "summary", "svg", "desc", "rect", "line", "path", "circle", "text", "script"}


class Page(html.parser.HTMLParser):
    """What a reader of the page gets: elements that are closed in order, ids, links and texts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.elements, self.attributes, self.texts, self.tables = [], [], [], set(), set(), [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.add(tag)
        self.attributes |= set(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if "href" in attrs:
            self.links.append(attrs["href"])
        if tag == "table":
            self.tables.append({"caption": 0, "col": 0})
        if self.tables:
            self.tables[-1]["caption"] += tag == "caption"
            self.tables[-1]["col"] += attrs.get("scope") == "col"
        if tag not in WITHOUT_END:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> ends {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        self.texts.append(data)


def a_measurement(case, status, **more):
    """As results/schema/bench-1.json has it."""
    values = [99.25, 100.5, 101.75]
    processes = [{"index": i, "order": i, "median": 100.5, "samples": values, "iterations": 1000, "checksum_ok": True, "load": 0.5, "null_call_ns": 4.0}
                 for i in range(8)]
    measured = status == "measured"
    return {"case": case, "axes": {"tensors": 1}, "quantity": "host.dispatch_ns", "unit": "ns", "better": "lower", "exact": False,
            "subject": "reference", "checked": measured, "status": status, "reason": None, "center": 100.5 if measured else None,
            "interval": {"low": 99.5, "high": 101.5, "confidence": 0.95} if measured else None,
            "null_calls": {"center": 25.125, "interval": None} if measured else None, "processes": processes if measured else []} | more


def a_step(subject, mode, counts):
    """Four calls of a step, as `assay bench --steps` counts them."""
    rows = []
    for call, (launches, copies, reads) in counts.items():
        for quantity, count in (("launches", launches), ("copies", copies), ("host_reads", reads)):
            axes = {"optimizer": "adam", "mode": mode, "tensors": 100, "overflow": "no", "call": call}
            process = {"index": 0, "order": 0, "median": count, "samples": [count], "iterations": 1, "checksum_ok": True, "load": None, "null_call_ns": None}
            rows.append(a_measurement("scaler/step", "measured", axes=axes, quantity=f"step.{quantity}", unit=quantity, exact=True, subject=subject,
                                      center=count, interval=None, null_calls=None, processes=[process]))
    return rows


def a_bench():
    return {
        "schema": "assay.bench/1", "synthetic": True,
        "meta": {"argv": ["assay", "bench"], "started": "2026-11-22T20:00:00Z", "seconds": 1.5, "seed": 1, "quick": False, "complete": True,
                 "interrupted": False, "processes": 8, "min_time_ns": 1000, "samples": 3, "tool": "0.1.0", "revision": "1234567", "dirty": False,
                 "build_type": "Release", "compiler": "GNU", "flags": "-O2", "exit": 1, "line": "FAIL 1 of 3 measured"},
        "environment": {"machine": "a machine", "cpu": "a CPU", "cores": 2, "kernel": "Linux", "virtual": "kvm", "governor": None, "smt": None,
                        "aslr": True, "load_start": 0.5, "load_end": None, "driver": "", "devices": []},
        "calibration": {"timer_cost_ns": {"center": 21.0, "interval": None, "medians": [21.0]}, "timer_resolution_ns": None,
                        "empty_loop_ns": None, "null_call_ns": None},
        "subjects": [{"id": "reference", "subject": "reference", "name": "reference", "version": "0.1.0", "contract": "2.11/cuda/strict",
                      "via": "c++", "copy_of": None, "build": None}],
        "measurements": [a_measurement("dispatch/typed", "measured"), a_measurement("dispatch/boxed", "unsupported", reason="no such call"),
                         a_measurement("dispatch/wrong", "failed", reason="the checksum was wrong")],
        "noise_floor": {"relative": 0.013, "pairs": []},
        "warnings": [{"kind": "load", "text": "the machine was busy"}]}


def shout(record):
    """The same record, with hostile text in every text that may be anything."""
    fixed = {"schema", "started", "verdict", "contract", "contracts", "outcome", "outcomes"}
    if isinstance(record, dict):
        return {name: value if name in fixed else shout(value) for name, value in record.items()}
    if isinstance(record, list):
        return [shout(item) for item in record]
    return record + HOSTILE if isinstance(record, str) else record


class Report(driver.ProgramTest):
    def run_of(self, name, *words):
        path = self.path(name)
        driver.run("run", *driver.AMP, *driver.ONE_CONTRACT, "--json", path, *words)
        return path

    def page_of(self, *records):
        done = driver.run("report", *records, "-o", self.path("page.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "page.html").read_text(encoding="utf-8")
        page = Page(text)
        self.check(page, text)
        return page, text

    def check(self, page, text):
        self.assertEqual(page.open, [])
        self.assertLessEqual(page.elements, ELEMENTS)
        self.assertFalse({name for name in page.attributes if name.startswith("on")} | (page.attributes & {"style", "src"}))
        self.assertEqual(len(page.ids), len(set(page.ids)), "an id twice")
        for link in page.links:
            if not link.startswith(("data:application/gzip;base64,", "data:application/x-assay-records;base64,")):
                self.assertIn(link.removeprefix("#"), page.ids)
        self.assertTrue(page.tables)
        for table in page.tables:
            self.assertEqual(table["caption"], 1)
            self.assertGreater(table["col"], 1)
        self.assertEqual(text.count("<script>"), 1)
        self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]", text))

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
        self.write("hostile.json", json.dumps(shout(record)))
        page, _ = self.page_of(self.path("hostile.json"))
        self.assertEqual(len([link for link in page.links if link.startswith("data:")]), 1)
        words = "".join(page.texts)
        self.assertIn('"><script>alert(1)</script><!-- --> ]]> </style> \' & \\u{202e}\\u{2066} \\x1b[31m\\x00\\x07 \\u{2028}', words)

    def record_of(self, name, *words):
        self.run_of(name, *words)
        return self.record(name)

    def test_subjects_and_files_may_have_any_name(self):
        path = self.run_of("\"><script>'&\x1b\u202e.json", "--subject", self.toy("rude"))
        self.page_of(path)

    def test_records_come_back_byte_for_byte(self):
        first = self.run_of("r.json", "--subject", self.toy("rude"))
        (self.folder / "other").mkdir()
        second = self.write("other/r.json", json.dumps(shout(self.record())) + "\r\n \n")
        self.page_of(first, second)
        done = driver.run("report", "--extract", self.path("page.html"), "-o", self.path("out/"))
        self.assertEqual(done.returncode, 0, done.stderr)
        files = sorted((self.folder / "out").iterdir())
        self.assertEqual([file.name for file in files], ["2-r.json", "r.json"])
        self.assertEqual([file.read_bytes() for file in files], [(self.folder / name).read_bytes() for name in ("other/r.json", "r.json")])

    def test_one_record_goes_to_a_file_or_to_standard_output(self):
        path = self.run_of("r.json")
        self.page_of(path)
        bytes_of_record = (self.folder / "r.json").read_bytes()
        driver.run("report", "--extract", self.path("page.html"), "-o", self.path("back.json"))
        self.assertEqual((self.folder / "back.json").read_bytes(), bytes_of_record)
        self.assertEqual(driver.run("report", "--extract", self.path("page.html")).stdout.encode(), bytes_of_record)

    def test_equal_records_make_equal_pages(self):
        path = self.run_of("r.json")
        self.assertEqual(self.page_of(path)[1], self.page_of(path)[1])

    def test_what_is_no_record_is_refused(self):
        self.refused("report", says=["needs the file of a record"])
        self.refused("report", self.path("none.json"), "-o", self.path("p.html"), says=["none.json"])
        self.refused("report", self.write("a.json", "{}"), "-o", self.path("p.html"), says=["a.json", "schema"])
        self.refused("report", self.write("b.json", '{"schema": "assay.run/1"}'), "-o", self.path("p.html"), says=["b.json", "argv"])
        self.refused("report", self.write("c.json", '{"schema": "other/1"}'), "-o", self.path("p.html"), says=["other/1", "assay.run/1"])
        self.refused("report", self.run_of("r.json"), says=["-o"])
        self.refused("report", "--extract", self.path("r.json"), says=["holds no record"])
        self.assertFalse((self.folder / "p.html").exists())

    def test_a_bench_shows_each_number_with_its_interval_and_samples(self):
        page, text = self.page_of(self.write("bench.json", json.dumps(a_bench())))
        words = "".join(page.texts)
        for part in ("100.5", "99.5 – 101.5", "25.12", "load: the machine was busy", "identical programs differed by 1.3 %",
                     "unsupported: no such call", "failed: the checksum was wrong", "Synthetic", "99.25 100.5 101.75"):
            self.assertIn(part, words)
        self.assertIn("cost-1-host.dispatch_ns:20dispatch/typed/tensors=1:20reference".replace("=", ":3d"), page.ids)

    def test_two_benches_are_compared_and_noise_is_named(self):
        slower = a_bench()
        for process in slower["measurements"][0]["processes"]:
            process["median"] *= 1.5 + process["index"] / 1000
        slower["measurements"][0]["center"] *= 1.5
        page, _ = self.page_of(self.write("a.json", json.dumps(a_bench())), self.write("b.json", json.dumps(slower)))
        words = "".join(page.texts)
        for part in ("✗ slower", "× 1.5", "Geometric means", "Noise floor 1.3 %", "margin 2 %", "is synthetic"):
            self.assertIn(part, words)

    def test_what_cannot_be_compared_says_why(self):
        real = a_bench() | {"synthetic": False}
        page, _ = self.page_of(self.write("a.json", json.dumps(a_bench())), self.write("b.json", json.dumps(real)))
        self.assertIn("Not compared: a.json is synthetic and b.json is real", "".join(page.texts))

    def test_what_is_not_measured_and_what_differs_stands_first(self):
        slower = a_bench()
        for process in slower["measurements"][0]["processes"]:
            process["median"] *= 1.5 + process["index"] / 1000
        page, _ = self.page_of(self.write("a.json", json.dumps(a_bench())), self.write("b.json", json.dumps(slower)))
        words = "".join(page.texts)
        short = words[:words.index("Raw samples")]
        for part in ("b.json against a.json: ✗ 1 slower, of 1", "margin 2 %", "2 in a.json of 3: 2 on reference: ✗ failed, the checksum was wrong, and 1 more reason",
                     "What differs?", "What has no number?"):
            self.assertIn(part, short)

    def test_a_warning_stands_once_with_the_records_that_have_it(self):
        other = a_bench()
        other["warnings"].append({"kind": "virtual", "text": "the machine is virtual"})
        page, _ = self.page_of(self.write("a.json", json.dumps(a_bench())), self.write("b.json", json.dumps(other)))
        words = "".join(page.texts)
        self.assertEqual(words.count("the machine was busy"), 1)
        self.assertIn("the machine was busy (a.json, b.json)", words)
        self.assertIn("the machine is virtual (b.json)", words)
        self.assertIn("warnings", page.ids)

    def test_a_ladder_has_neither_copies_nor_rows_without_a_number(self):
        record = a_bench()
        record["subjects"].append(record["subjects"][0] | {"id": "reference#2", "copy_of": "reference"})
        record["measurements"].append(a_measurement("dispatch/typed", "measured", subject="reference#2"))
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        table = re.search("<caption><span>host.dispatch_ns in ns, less.*?</table>", text)[0]
        self.assertNotIn("reference#2", table)
        self.assertEqual(re.findall('<th scope="row">(.*?)</th>', table), ["dispatch/typed/tensors=1"])
        self.assertIn("no such call", "".join(page.texts))

    def test_launches_stand_on_one_ladder(self):
        record = a_bench()
        for quantity, ns in (("e2e.sync_ns", 9000.5), ("host.launch_ns", 2000.5), ("graph.node_ns", 900.5), ("host.submit_ns", 2500.5)):
            record["measurements"].append(a_measurement(quantity.split(".")[0] + "/kernel", "measured", quantity=quantity, center=ns))
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        table = re.search("<caption><span>e2e.sync_ns, host.launch_ns, graph.node_ns, host.submit_ns in ns, less.*?</table>", text)[0]
        self.assertEqual(re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td>', table),
                         [(quantity.split(".")[0] + "/kernel/tensors=1", quantity)
                          for quantity in ("graph.node_ns", "host.launch_ns", "host.submit_ns", "e2e.sync_ns")])

    def test_bandwidth_stands_beside_the_largest_copy(self):
        def moving(case, n, nanoseconds, size, **more):
            return a_measurement(case, "measured", axes={"N": n}, quantity="device.exec_ns", bytes=size, center=nanoseconds, **more)
        record = a_bench()
        record["measurements"] += [moving("device/copy", 1000, 1000.5, 8000), moving("device/copy", 10**8, 200_000, 8 * 10**8),
                                   moving("device/unscale", 10**8, 250_000, 8 * 10**8), moving("device/unscale", 1000, 2000, 8000)]
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        self.assertIn("The roof is the largest copy, device/copy/N=100000000: 4\u202f000 GB/s", "".join(page.texts))
        rows = re.search("<caption><span>Bandwidth of .*?</table>", text)[0]
        cells = [re.sub("<.*?>", "|", row).replace("||", "|") for row in re.findall("<tr><th scope=\"row\">.*?</tr>", rows)]
        self.assertEqual([[part for part in cell.split("|") if part] for cell in cells], [
            ["device/copy", "8 KB", "1\u202f000 ns", "7.996", "0 %"], ["device/copy", "800 MB", "200\u202f000 ns", "4\u202f000", "100 %"],
            ["device/unscale", "8 KB", "2\u202f000 ns", "4.000", "0 %"], ["device/unscale", "800 MB", "250\u202f000 ns", "3\u202f200", "80 %"]])
        self.assertIn("Unscale, the largest: reference 80\u00a0% of the memory's roof", "".join(page.texts))
        self.assertNotRegex(text, "<caption><span>device.exec_ns in ns")
        section = re.search('<section id="bandwidth">.*?</section>', text, re.S)[0]
        self.assertEqual(section.count("stroke-dasharray"), 1)
        for row in record["measurements"]:
            row.pop("bytes", None)
        self.assertNotIn("bandwidth", self.page_of(self.write("b.json", json.dumps(record)))[0].ids)

    def test_without_a_copy_there_is_no_roof(self):
        record = a_bench()
        record["measurements"].append(a_measurement("device/unscale", "measured", axes={"N": 1000}, bytes=8000))
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        self.assertIn("No roof: device/copy was not measured.", "".join(page.texts))
        self.assertNotIn("Share of the roof", text)

    def test_a_wide_interval_is_marked(self):
        record = a_bench()
        self.assertNotIn("unsteady", "".join(self.page_of(self.write("a.json", json.dumps(record)))[0].texts))
        record["measurements"][0]["interval"]["high"] = 110.0
        self.assertIn("unsteady: ± 9.5 %", "".join(self.page_of(self.write("a.json", json.dumps(record)))[0].texts))

    def test_contracts_stand_in_the_order_of_releases(self):
        path = self.path("r.json")
        driver.run("run", *driver.AMP, "--contracts", "all", "--json", path)
        page, text = self.page_of(path)
        heads = re.findall(r'<th scope="col"[^>]*>(\d+\.\d+)/cuda/strict</th>', text)
        self.assertEqual(heads[:3], ["1.13", "2.4", "2.11"])

    def test_broken_clauses_are_listed_with_who_broke_them(self):
        page, _ = self.page_of(self.run_of("r.json", "--subject", self.toy("wrong")))
        words = "".join(page.texts)
        bad = [case for case in self.record()["subjects"][0]["cases"] if case["outcome"] == "fail"]
        table = words[words.index(" in failed cases"):words.index(bad[0]["id"])]
        for clause in {clause for case in bad for clause in case["clauses"]}:
            self.assertIn(clause, table)

    def test_the_first_screen_has_the_verdict_and_the_broken_rules(self):
        page, text = self.page_of(self.run_of("r.json", "--subject", self.toy("wrong")))
        header = "".join(Page(text[text.index("<header>"):text.index("<nav ")]).texts)
        self.assertIn(f"✗ FAILS: {self.toy('wrong')}", header)
        self.assertIn(self.record()["subjects"][0]["line"].removeprefix("FAILS"), header)
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
        self.assertIn(f"on {self.toy('wrong')} under {bad[0]['contract']}; another under {bad[0]['contract']}", "".join(page.texts))

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
            paths.append(self.write(f"g{i}.json", json.dumps(record)))
        page, text = self.page_of(*paths)
        self.assertEqual(text.count('class="card"'), 100)
        self.assertIn("Failures without a card: 2500 cases", "".join(page.texts))
        self.assertIn("1500 more cases left out here; the records have all.", "".join(page.texts))
        self.assertIn("gpu0, gpu1, gpu2, gpu3 and 4 more", "".join(page.texts))
        self.assertLess(len(text.encode()), 5_000_000)

    def test_a_training_step_is_a_stack_of_launches(self):
        record = a_bench()
        record["subjects"].append(record["subjects"][0] | {"id": "other", "subject": "other"})
        record["measurements"] = (a_step("reference", "foreach", {"scale": (1, 0, 0), "unscale_": (2, 3, 0), "step": (13, 0, 1), "update": (1, 0, 0)})
                                  + a_step("other", "foreach", {"scale": (1, 0, 0), "unscale_": (1, 0, 0), "step": (0, 0, 1), "update": (1, 0, 0)})
                                  + a_step("other", "fused", {"scale": (1, 0, 0), "step": (2, 0, 0), "update": (1, 0, 0)}))
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        section = re.search('<section id="scaler-step">.*?</section>', text, re.S)[0]
        rows = [[re.sub("<.*?>", "", cell) for cell in re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row)[:-1]]
                for row in re.findall("<tr><th scope=\"row\">.*?</tr>", section)]
        self.assertEqual(rows, [["adam, foreach, 100 tensors", "reference", "1", "2", "13", "1", "17", "3", "1"],
                                ["adam, foreach, 100 tensors", "other", "1", "1", "0", "1", "3", "0", "1"],
                                ["adam, fused, 100 tensors", "other", "1", "", "2", "1", "4", "0", "0"]])
        widths = [[float(width) for width in re.findall('<rect [^>]*width="([0-9.]+)"', row)] for row in re.findall("<tr><th scope=\"row\">.*?</tr>", section)]
        self.assertEqual([len(row) for row in widths], [4, 3, 3], "a call without a launch has no part")
        self.assertAlmostEqual(widths[0][2] + 1, 300 * 13 / 17, delta=0.1)
        self.assertIn("A training step, adam, foreach, 100 tensors: reference 17\u00a0launches, other 3\u00a0launches", "".join(page.texts))

    def test_records_of_two_machines_are_compared_in_their_own_units(self):
        def machine(times):
            record = a_bench()
            record["measurements"] = [a_measurement(f"dispatch/{name}", "measured", center=ns, null_calls={"center": calls, "interval": None})
                                      for name, (ns, calls) in times.items()]
            return record
        a, b = machine({"x": (100, 50), "y": (100, 50)}), machine({"x": (80, 60), "y": (80, 40)})
        page, _ = self.page_of(self.write("a.json", json.dumps(a)), self.write("b.json", json.dumps(b)))
        words = "".join(page.texts)
        self.assertIn("In calls through a pointer: the order changes in 1 of 2 cases", words)
        self.assertIn("b.json < a.json becomes a.json < b.json", words)
        self.assertNotIn("In shares of the roof", words)

    def test_litmus_programs_are_shown_with_how_often_each_outcome_was_seen(self):
        driver.run("litmus", "LT-15", "-n", "20", "--json", self.path("l.json"))
        record = self.record("l.json")
        record["programs"][0]["seen"].append({"outcome": [7], "permitted": False, "times": 3})
        record["programs"][1]["lacking"] = "no events" + HOSTILE
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
        benches = [self.write(name, json.dumps(a_bench())) for name in ("a.json", "b.json")]
        done = driver.run("report", run, *benches, "--md", self.path("all.md"), "--csv", self.path("all.csv"), "-o", self.path("p.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "all.md").read_text(encoding="utf-8")
        self.assertEqual(text.count("\n# ") + text.startswith("# "), 3)
        self.assertIn("what went wrong", text.lower())
        self.assertIn("| dispatch/typed/tensors=1 |", text.replace("\\", ""))
        self.assertIn("COMPARED 1 of 3 pairs", text)
        self.assertTrue((self.folder / "p.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>"))

    def test_the_name_of_the_output_says_what_is_written(self):
        path = self.write("a.json", json.dumps(a_bench()))
        for name, kind, opening in (("x.md", "Markdown", "# FAIL"), ("x.csv", "CSV", "record,subject"),
                                    ("x.html", "HTML", "<!DOCTYPE html>"), ("x", "HTML", "<!DOCTYPE html>")):
            self.assertIn(f" bytes of {kind}, made from 1 record", driver.run("report", path, "-o", self.path(name)).stdout)
            self.assertTrue((self.folder / name).read_text(encoding="utf-8").startswith(opening), name)
        driver.run("report", path, "--html", self.path("y.csv"))
        self.assertTrue((self.folder / "y.csv").read_text(encoding="utf-8").startswith("<!DOCTYPE html>"))

    def test_csv_has_a_line_a_result_and_a_line_a_measurement(self):
        record = self.record_of("r.json", "--subject", self.toy("wrong"))
        self.write("hostile.json", json.dumps(shout(record)))
        bench = a_bench()
        bench["measurements"][1]["reason"] = "=1+1,\n\"x\""
        driver.run("report", self.path("hostile.json"), self.write("b.json", json.dumps(bench)), "-o", self.path("all.csv"))
        with open(self.folder / "all.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, strict=True))
        cases = record["subjects"][0]["cases"]
        self.assertEqual(len(rows), len(cases) + 3)
        self.assertTrue(all(None not in row and None not in row.values() for row in rows), "as many fields as names")
        for row, case in zip(rows, cases):
            self.assertEqual((row["record"], row["case"], row["result"]), ("hostile.json", case["id"] + HOSTILE, case["outcome"]))
        measured, lacking, _ = rows[len(cases):]
        self.assertEqual([float(measured[name]) for name in ("value", "low", "high", "processes")], [100.5, 99.5, 101.5, 8])
        self.assertEqual((lacking["result"], lacking["value"], lacking["reason"]), ("unsupported", "", "'=1+1,\n\"x\""))

    def test_hostile_text_of_a_bench_is_text(self):
        record = a_bench()
        for measured in record["measurements"]:
            measured["case"] += HOSTILE
            measured["reason"] = measured["reason"] and measured["reason"] + HOSTILE
        for part in (record["environment"], record["subjects"][0], record["warnings"][0]):
            part |= {name: value + HOSTILE for name, value in part.items() if isinstance(value, str) and name not in ("id", "contract", "via")}
        record["meta"]["argv"].append(HOSTILE)
        page, _ = self.page_of(self.write("bench.json", json.dumps(record)))
        self.assertEqual(len([link for link in page.links if link.startswith("data:")]), 1)

    def test_many_records_share_one_list_of_cases(self):
        paths = [self.run_of("r.json")]
        for i in range(29):
            record = self.record()
            record["subjects"][0]["subject"] = f"gpu{i}"
            paths.append(self.write(f"r{i}.json", json.dumps(record)))
        page, _ = self.page_of(*paths)
        self.assertEqual(sum(name.startswith("case-") for name in page.ids), len(self.record()["subjects"][0]["cases"]))
        self.assertEqual(len([link for link in page.links if link.startswith("data:")]), 1)
        self.assertEqual(driver.run("report", "--extract", self.path("page.html"), "-o", self.path("out/")).returncode, 0)
        self.assertEqual(len(list((self.folder / "out").iterdir())), 30)
        for path in map(pathlib.Path, paths):
            self.assertEqual((self.folder / "out" / path.name).read_bytes(), path.read_bytes())


if __name__ == "__main__":
    driver.main()
