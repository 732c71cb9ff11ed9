"""Helpers for tests of pages: makes them, reads them, and provides records."""

import html.parser
import json
import re

import driver

# Text that would end an element, a comment, a section or a script, reverse text, or be invalid.
HOSTILE = "\"><script>alert(1)</script><!-- --> ]]> </style> ' & \u202e\u2066 \x1b[31m\x00\x07 \u2028 <a download=\"x.gz\" href=\"data:application/gzip;base64,AAAA\">"
WITHOUT_END = {"meta", "br", "hr", "col", "input", "wbr"}
# The elements and attributes of a page; none of them loads something or handles events.
ELEMENTS = {"html", "head", "meta", "title", "style", "body", "main", "header", "nav", "section", "article", "h1", "h2", "h3", "p", "ul", "ol",
            "li", "dl", "dt", "dd", "div", "span", "b", "strong", "em", "small", "a", "code", "pre", "br", "table", "caption", "thead", "tbody", "tr", "th",
            "td", "details", "summary", "wbr", "svg", "g", "desc", "rect", "line", "path", "circle", "text", "script"}


class Page(html.parser.HTMLParser):
    """The parsed page: properly nested elements, ids, links and texts."""

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
    """In the form of results/schema/bench-1.json."""
    values = [99.25, 100.5, 101.75]
    processes = [{"index": i, "order": i, "median": 100.5, "samples": values, "iterations": 1000, "checksum_ok": True, "load": 0.5, "null_call_ns": 4.0}
                 for i in range(8)]
    measured = status == "measured"
    return {"case": case, "axes": {"tensors": 1}, "quantity": "host.dispatch_ns", "unit": "ns", "better": "lower", "exact": False,
            "subject": "reference", "checked": measured, "status": status, "reason": None, "center": 100.5 if measured else None,
            "interval": {"low": 99.5, "high": 101.5, "confidence": 0.95} if measured else None,
            "null_calls": {"center": 25.125, "interval": None} if measured else None, "processes": processes if measured else []} | more


def a_step(subject, mode, counts):
    """Calls of a step, as counted by `assay bench --steps`: launches, copies, host reads, and optionally allocations."""
    rows = []
    for call, amounts in counts.items():
        for quantity, count in zip(("launches", "copies", "host_reads", "allocations"), amounts):
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
    """The same record, with hostile text in every free-form text."""
    fixed = {"schema", "started", "verdict", "contract", "contracts", "outcome", "outcomes", "reach", "properties", "profile"}
    if isinstance(record, dict):
        return {name: value if name in fixed else shout(value) for name, value in record.items()}
    if isinstance(record, list):
        return [shout(item) for item in record]
    return record + HOSTILE if isinstance(record, str) else record


def short(subject):
    """The name of the subject on a page: the last parts of long paths."""
    return " ".join("…" + word[word.rindex("/"):] if len(word) > 24 and "/" in word else word for word in subject.split(" "))


class PageTest(driver.ProgramTest):
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
        # Optional line breaks are not part of a name.
        return page, text.replace("<wbr>", "")

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

    def record_of(self, name, *words):
        self.run_of(name, *words)
        return self.record(name)
