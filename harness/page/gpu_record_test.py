#!/usr/bin/env python3
"""What the record of a GPU shows on a page: short names, launches, cold beside hot, and many records. Usage: gpu_record_test.py <folder of
the programs>."""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli" / "outside"))
import driver
import imaginary_gpus
import pages

LONG = "/a/folder/with/a/long/name/bin/assay-cuda"


def on_device(case, axes, ns, size=None, **more):
    return pages.a_measurement(case, "measured", axes=axes, quantity="device.exec_ns", center=ns, bytes=size, interval=None, **more)


def cells(table):
    """The texts of each row's cells."""
    rows = re.findall(r"<tr[^>]*>(?:(?!</tr>).)*</tr>", table.replace("<wbr>", ""))
    return [[re.sub("<.*?>", "", cell).strip() for cell in re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]


class GpuRecord(pages.PageTest):
    def page_with(self, *measurements, **more):
        record = pages.a_bench() | more
        record["measurements"] += measurements
        return self.page_of(self.write("a.json", json.dumps(record)))

    def table(self, text, caption):
        return cells(re.search(f"<caption><span>{caption}.*?</table>", text)[0])

    def of(self, subject, record=None, name="reference"):
        record = record or pages.a_bench()
        record["subjects"][0] |= {"id": subject, "subject": subject, "name": name}
        for measured in record["measurements"]:
            measured["subject"] = subject
        return record

    def test_a_long_path_is_cut_to_its_last_part_and_stands_whole_once(self):
        page, text = self.page_of(self.write("a.json", json.dumps(self.of(LONG))))
        words = "".join(page.texts)
        self.assertIn("Costs of …/assay-cuda", words)
        self.assertEqual(text.count(LONG), 1)
        self.assertIn(["…/assay-cuda", LONG], self.table(text, "Subjects whose names"))

    def test_paths_that_end_alike_keep_what_tells_them_apart(self):
        other = LONG.replace("/bin/", "/other/")
        record = self.of(LONG)
        record["subjects"].append(record["subjects"][0] | {"id": other, "subject": other})
        record["measurements"].append(pages.a_measurement("dispatch/typed", "measured", subject=other))
        words = "".join(self.page_of(self.write("a.json", json.dumps(record)))[0].texts)
        self.assertIn("…/bin/assay-cuda 100.5", words)
        self.assertIn("…/other/assay-cuda 100.5", words)

    def test_the_same_program_in_two_folders_is_compared(self):
        a, b = self.of("/tmp/a/long/folder/of/one/run/assay-cuda"), self.of("/tmp/a/long/folder/of/another/run/assay-cuda")
        words = "".join(self.page_of(self.write("a.json", json.dumps(a)), self.write("b.json", json.dumps(b)))[0].texts)
        self.assertIn("b.json against a.json: = 1 same, of 1", words)

    def test_records_of_other_subjects_are_not_held_against_each_other(self):
        files = [self.write(f"{name}.json", json.dumps(self.of(name, name=name))) for name in ("reference", "cuda")]
        page, text = self.page_of(*files)
        self.assertNotIn("missing", "".join(page.texts))
        self.assertNotIn("against", "".join(page.texts))

    def test_the_device_and_lost_processes_are_named(self):
        record = pages.a_bench()
        record["environment"]["devices"] = [{"name": "GPU of a test"}]
        record["measurements"][0] |= {"interval": None, "processes": record["measurements"][0]["processes"][:3]}
        words = "".join(self.page_of(self.write("a.json", json.dumps(record)))[0].texts)
        self.assertIn("1 record · GPU of a test · ", words)
        self.assertIn("the median of 3 fresh processes (8 were planned) with 3 samples each; they are too few for an interval.", words)
        record["measurements"].append(pages.a_measurement("dispatch/other", "measured"))
        words = "".join(self.page_of(self.write("a.json", json.dumps(record)))[0].texts)
        self.assertIn("3 to 8 fresh processes (8 were planned) with 3 samples each; its 95 % interval is below it.", words)

    def test_what_most_lack_is_the_first_reason(self):
        lacking = [pages.a_measurement(f"x/{i}", "unsupported", reason="most lack this") for i in range(3)]
        record = pages.a_bench()
        record["measurements"] = record["measurements"][:2] + lacking  # preceded by one with another reason
        words = "".join(self.page_of(self.write("a.json", json.dumps(record)))[0].texts)
        self.assertIn("4 in a.json, of 5: 4 on reference: most lack this, and 1 more reason", words)

    def test_a_launch_is_a_ladder_from_the_call_to_the_wait(self):
        stages = [("sync/kernel", "e2e.sync_ns", 9000.5), ("launch/kernel", "host.launch_ns", 3000.5), ("graph/kernel", "graph.node_ns", 1200.5),
                  ("submit/kernel", "host.submit_ns", 3700.5)]
        rows = [pages.a_measurement(case, "measured", axes={"stream": stream}, quantity=quantity, center=ns + more, interval=None)
                for case, quantity, ns in stages for stream, more in (("default", 0), ("pool", 100))]
        page, text = self.page_with(*rows)
        self.assertEqual([row[1:3] for row in self.table(text, "The smallest launch")[1:]],
                         [["host.dispatch_ns", "100.599.5 – 101.5"], ["graph.node_ns", "1\u202f200"], ["host.launch_ns", "3\u202f000"],
                          ["host.submit_ns", "3\u202f700"], ["e2e.sync_ns", "9\u202f000"]])
        self.assertNotIn("The smallest launch", self.page_with(rows[0])[1], "two stages are no ladder")

    def test_cold_stands_beside_hot(self):
        rows = [on_device(f"device/{case}", {"dtype": dtype, "N": n, "l2": cache}, 8 * n / rate, 8 * n)
                for case, rates in (("copy", {"hot": 4, "cold": 2}), ("cast", {"hot": 2, "cold": 1})) for dtype in ("f16", "bf16")
                for n in (1000, 1000000) for cache, rate in rates.items()]
        rows += [on_device("device/event_pair", {"l2": "cold"}, 4100),
                 on_device("device/copy_in", {"N": 1000}, 8000, 4000), on_device("device/copy_in", {"N": 1000000}, 80000, 4000000)]
        page, text = self.page_with(*rows)
        table = self.table(text, "Bandwidth of")
        self.assertEqual(table[0], ["Case", "Bytes moved", "Time, hot", "GB/s, hot", "Share, hot", "Time, cold", "GB/s, cold", "Share, cold"])
        self.assertEqual(table[1], ["device/copy/dtype=f16", "8 KB", "2\u202f000 ns", "4.000", "100 %", "4\u202f000 ns", "2.000", "50 %"])
        self.assertEqual(table[-1], ["device/copy_in", "4 MB", "80\u202f000 ns", "50.00", "", "", "", ""], "no roof of the device limits what comes from the host")
        pictures = re.findall('<div class="picture">.*?</div>', text)
        self.assertEqual([re.search("<b>(.*?)</b>", picture)[1] for picture in pictures], ["device/copy", "device/cast", "copies between host and device"])
        self.assertEqual([[picture.count(f'stroke-dasharray="{dashes}"') for dashes in ("3 3", "5 4", "1 4")] for picture in pictures],
                         [[2, 1, 1], [2, 1, 1], [0, 0, 0]], "cold curves, the roof, the pair of events")
        self.assertEqual(re.findall('text-anchor="start">([a-z0-9 ]+)</text>', pictures[1]), ["roof 4", "f16", "bf16", "f16 cold", "bf16 cold"])
        self.assertIn("a pair of events, which takes 4\u202f100 ns by itself: the dotted line", "".join(page.texts))

    def test_a_case_of_one_size_is_no_curve(self):
        page, text = self.page_with(on_device("device/list", {"dtype": "f16"}, 1000, 4000))
        self.assertIn("device/list/dtype=f16", text)
        self.assertNotIn("over the bytes that a call moves", text)

    def test_a_scale_is_that_of_its_own_rows(self):
        page, text = self.page_with(on_device("device/event_pair", {"l2": "cold"}, 1500.5), on_device("device/copy", {"N": 10**9}, 8e7, 8 * 10**9))
        ladder = re.search("<caption><span>device.exec_ns in ns.*?</table>", text)[0]
        self.assertIn(">1 µs</text>", ladder)
        self.assertIn("1 µs to 10 µs, logarithmic", ladder)

    def test_subjects_have_marks_of_their_own_whatever_copies_stand_between(self):
        record = pages.a_bench()
        names = [f"s{i}" for i in range(4)]
        record["subjects"] = [record["subjects"][0] | {"id": name + copy, "copy_of": name if copy else None} for name in names for copy in ("", "#2")]
        record["measurements"] = [pages.a_measurement("dispatch/typed", "measured", subject=name + copy) for name in names for copy in ("", "#2")]
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        head = re.search("<caption><span>host.dispatch_ns in ns.*?</thead>", text)[0]
        colours = re.findall('fill="(#[0-9a-f]+)"', head)
        self.assertEqual([len(colours), len(set(colours))], [4, 4])
        self.assertEqual(re.findall('Medians of the processes</title>.*?fill="(#[0-9a-f]+)"', text)[:2], [colours[0]] * 2, "a copy has the colour of its subject")

    def test_what_one_subject_of_a_record_lacks_is_no_fault(self):
        record = pages.a_bench()
        names = ("reference", "other", "third")
        record["subjects"] = [record["subjects"][0] | {"id": name, "subject": name} for name in names]
        record["measurements"] = [pages.a_measurement(f"dispatch/{case}", "measured", subject=name) for case in ("typed", "boxed") for name in names]
        del record["measurements"][-2]
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        self.assertNotIn("missing", "".join(page.texts))
        self.assertIn('<th scope="col">other</th>', text, "it stands over verdicts, at the left as they do")


class ManyRecords(pages.PageTest):
    def test_a_page_of_a_hundred_records_can_be_mailed_and_read(self):
        paths = []
        for i in range(100):
            record = imaginary_gpus.record("Imaginary One", seed=i)
            record["measurements"] = [pages.a_measurement(f"dispatch/case_{k}", "measured", subject="cuda", processes=record["measurements"][0]["processes"])
                                      for k in range(50)]
            paths.append(self.write(f"gpu{i:02}.json", json.dumps(record)))
        page, text = self.page_of(*paths)
        self.assertLess(len(text.encode()), 5_000_000)
        words = "".join(page.texts)
        self.assertIn("and 94 more", words[:words.index("What does it cost?")])
        self.assertIn("30 records more: the table of verdicts", words)
        self.assertIn("69 candidates more: the table of verdicts includes them.", words)
        self.assertEqual(self.rows_of(text, "Verdict on 100 measuring runs"), 40)
        self.assertEqual(self.rows_of(text, "Verdict on 100 measuring runs: the others"), 60)
        self.assertNotIn("Medians of the processes", text, "a drawing in each row")

    def rows_of(self, text, caption):
        return len(cells(re.search(f"<caption><span>{caption}</span>.*?</table>", text)[0])) - 1

    def test_of_many_subjects_the_worst_stand_first_and_others_are_folded(self):
        record = self.record_of("r.json")
        subject = record["subjects"][0]
        record["subjects"] = [subject | {"subject": f"build {i}"} for i in range(60)]
        record["subjects"][50] |= {"verdict": "FAILS", "exit": 1, "line": "FAILS 1 of 1"}
        record |= {"verdict": "FAILS", "exit": 1, "line": "FAILS"}
        page, text = self.page_of(self.write("many.json", json.dumps(record)))
        matrix = self.table_of(text, "✓ all pass")
        self.assertEqual([row[0] for row in matrix[:3]], ["Subject", "build 50", "build 0"])
        self.assertEqual(len(matrix), 41)
        self.assertIn("20 more subjects", "".join(page.texts))
        self.assertIn("Each of 60 subjects by itself", "".join(page.texts))

    def table_of(self, text, caption):
        return cells(re.search(f"<caption><span>{caption}.*?</table>", text)[0])

    def test_what_holds_for_many_records_is_said_once(self):
        records = [pages.a_bench() for _ in range(6)]
        for record in records[1:]:
            record["meta"]["interrupted"] = True
        words = "".join(self.page_of(*(self.write(f"{i}.json", json.dumps(record)) for i, record in enumerate(records)))[0].texts)
        self.assertIn("! 1.json, 2.json, 3.json, 4.json and 1 more: each was interrupted", words)
        self.assertEqual(words.count("was interrupted"), 1)

    def test_one_subject_stands_in_the_caption(self):
        page, text = self.page_of(*(self.write(f"{i}.json", json.dumps(pages.a_bench())) for i in range(2)))
        self.assertNotIn("Subject", self.table_of(text, "host.dispatch_ns of reference: ratios to 0.json")[0])

    def test_what_many_records_lack_is_said_once(self):
        other = pages.a_bench()
        other["measurements"].append(pages.a_measurement("dispatch/more", "unsupported", reason="no such call"))
        records = [pages.a_bench(), pages.a_bench(), other]
        words = "".join(self.page_of(*(self.write(f"{i}.json", json.dumps(record)) for i, record in enumerate(records)))[0].texts)
        self.assertIn("2 in each of 2 records, of 3: 2 on reference: ✗ failed", words)
        self.assertIn("3 in 2.json, of 4: 3 on reference: ✗ failed", words)


if __name__ == "__main__":
    driver.main()
