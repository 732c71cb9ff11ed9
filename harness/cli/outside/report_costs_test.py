#!/usr/bin/env python3
"""Tests `assay report` on costs: numbers, ladders, curves, stacks and comparisons. Usage: report_costs_test.py <folder of the programs>."""

import json
import re

import driver
import pages


class CostPages(pages.PageTest):
    def test_a_bench_shows_each_number_with_its_interval_and_samples(self):
        page, text = self.page_of(self.write("bench.json", json.dumps(pages.a_bench())))
        words = "".join(page.texts)
        for part in ("100.5", "99.5 – 101.5", "25.12", "load: the machine was busy", "identical programs differed by 1.3 %",
                     "unsupported: no such call", "failed: the checksum was wrong", "Synthetic", "99.25 100.5 101.75"):
            self.assertIn(part, words)
        self.assertIn("cost-1-host.dispatch_ns:20dispatch/typed/tensors=1:20reference".replace("=", ":3d"), page.ids)

    def test_a_count_is_a_whole_number_without_an_interval(self):
        record = pages.a_bench()
        count = dict(quantity="instr.count", unit="instructions", exact=True, interval=None, null_calls=None)
        record["subjects"].append(record["subjects"][0] | {"id": "other", "subject": "other"})
        record["measurements"] = [pages.a_measurement("dispatch/typed", "measured", center=12, **count),
                                  pages.a_measurement("dispatch/typed", "measured", center=13075, subject="other", **count)]
        for measured in record["measurements"]:
            for process in measured["processes"]:
                process |= {"median": measured["center"], "samples": [measured["center"]]}
        words = "".join(self.page_of(self.write("a.json", json.dumps(record)))[0].texts)
        self.assertGreaterEqual(words.count("12\u00a0instructions"), 3, "in the first answers, the comparison and the measurements")
        self.assertGreaterEqual(words.count("13\u202f075\u00a0instructions"), 3)
        self.assertIn("× 1\u202f090Ratio", words)
        self.assertIn("Counts, compared exactly.", words)
        for part in ("12.00", "1\u202f090 (", "95 % interval, ", "Noise floor: not measured"):
            self.assertNotIn(part, words)

    def test_the_scale_of_ratios_reaches_as_far_as_they_do(self):
        for times, scale in ((1.03, "from 1/1.1 to 1.1; the"), (1.5, "from 1/2 to 2; the"), (60, "from 1/100 to 100, with lines at powers of ten")):
            slower = pages.a_bench()
            for process in slower["measurements"][0]["processes"]:
                process["median"] *= times
            page, text = self.page_of(self.write("a.json", json.dumps(pages.a_bench())), self.write("b.json", json.dumps(slower)))
            self.assertIn(f"ratios to a.json, drawn {scale}", "".join(page.texts))
            mark = re.search(r"<svg [^>]*><title>Ratio to the baseline</title>.*?</svg>", text)[0]
            self.assertNotIn(" Z\"", mark, "an arrow: the ratio lies outside")
            self.assertEqual(mark.count('stroke-opacity="0.2"'), 1 if times == 60 else 0, "one path has all lines")

    def test_two_benches_are_compared_and_noise_is_named(self):
        slower = pages.a_bench()
        for process in slower["measurements"][0]["processes"]:
            process["median"] *= 1.5 + process["index"] / 1000
        slower["measurements"][0]["center"] *= 1.5
        page, _ = self.page_of(self.write("a.json", json.dumps(pages.a_bench())), self.write("b.json", json.dumps(slower)))
        words = "".join(page.texts)
        for part in ("✗ slower", "× 1.5", "Geometric means", "Noise floor 1.3 %", "Margin 2 %", "is synthetic"):
            self.assertIn(part, words)

    def test_what_cannot_be_compared_says_why(self):
        real = pages.a_bench() | {"synthetic": False}
        page, _ = self.page_of(self.write("a.json", json.dumps(pages.a_bench())), self.write("b.json", json.dumps(real)))
        self.assertIn("Not compared: a.json is synthetic and b.json is real", "".join(page.texts))

    def test_what_is_not_measured_and_what_differs_stands_first(self):
        slower = pages.a_bench()
        for process in slower["measurements"][0]["processes"]:
            process["median"] *= 1.5 + process["index"] / 1000
        page, _ = self.page_of(self.write("a.json", json.dumps(pages.a_bench())), self.write("b.json", json.dumps(slower)))
        words = "".join(page.texts)
        short = words[:words.index("Raw samples")]
        for part in ("b.json against a.json: ✗ 1 slower, of 1", "Margin 2 %", "2 in each of 2 records, of 3: 2 on reference: ✗ failed, the checksum was wrong, and 1 more reason",
                     "What differs?", "What has no number?"):
            self.assertIn(part, short)

    def test_a_warning_stands_once_with_the_records_that_have_it(self):
        other = pages.a_bench()
        other["warnings"].append({"kind": "virtual", "text": "the machine is virtual"})
        page, _ = self.page_of(self.write("a.json", json.dumps(pages.a_bench())), self.write("b.json", json.dumps(other)))
        words = "".join(page.texts)
        self.assertEqual(words.count("the machine was busy"), 1)
        self.assertIn("the machine was busy (a.json, b.json)", words)
        self.assertIn("the machine is virtual (b.json)", words)
        self.assertIn("warnings", page.ids)

    def test_a_ladder_has_neither_copies_nor_rows_without_a_number(self):
        record = pages.a_bench()
        record["subjects"].append(record["subjects"][0] | {"id": "reference#2", "copy_of": "reference"})
        record["measurements"].append(pages.a_measurement("dispatch/typed", "measured", subject="reference#2"))
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        table = re.search("<caption><span>host.dispatch_ns in ns, less.*?</table>", text)[0]
        self.assertNotIn("reference#2", table)
        self.assertEqual(re.findall('<th scope="row">(.*?)</th>', table), ["dispatch/typed/tensors=1"])
        self.assertIn("no such call", "".join(page.texts))

    def test_launches_stand_on_one_ladder(self):
        record = pages.a_bench()
        for quantity, ns in (("e2e.sync_ns", 9000.5), ("host.launch_ns", 2000.5), ("graph.node_ns", 900.5), ("host.submit_ns", 2500.5)):
            record["measurements"].append(pages.a_measurement(quantity.split(".")[0] + "/kernel", "measured", quantity=quantity, center=ns))
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        table = re.search("<caption><span>e2e.sync_ns, host.launch_ns, graph.node_ns, host.submit_ns in ns, less.*?</table>", text)[0]
        self.assertEqual(re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td>', table),
                         [(quantity.split(".")[0] + "/kernel/tensors=1", quantity)
                          for quantity in ("graph.node_ns", "host.launch_ns", "host.submit_ns", "e2e.sync_ns")])

    def test_bandwidth_stands_beside_the_largest_copy(self):
        def moving(case, n, nanoseconds, size, **more):
            return pages.a_measurement(case, "measured", axes={"N": n}, quantity="device.exec_ns", bytes=size, center=nanoseconds, **more)
        record = pages.a_bench()
        record["measurements"] += [moving("device/copy", 1000, 1000.5, 8000), moving("device/copy", 10**8, 200_000, 8 * 10**8),
                                   moving("device/unscale", 10**8, 250_000, 8 * 10**8), moving("device/unscale", 1000, 2000, 8000)]
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        self.assertIn("The roof is the largest copy, device/copy/N=100000000: 4\u202f000 GB/s", "".join(page.texts))
        rows = re.search("<caption><span>Bandwidth of .*?</table>", text)[0]
        cells = [re.sub("<.*?>", "|", row).replace("||", "|") for row in re.findall("<tr><th scope=\"row\">.*?</tr>", rows)]
        self.assertEqual([[part for part in cell.split("|") if part] for cell in cells], [
            ["device/copy", "8 KB", "1\u202f000 ns", "7.996", "0.2 %"], ["device/copy", "800 MB", "200\u202f000 ns", "4\u202f000", "100 %"],
            ["device/unscale", "8 KB", "2\u202f000 ns", "4.000", "0.1 %"], ["device/unscale", "800 MB", "250\u202f000 ns", "3\u202f200", "80 %"]])
        self.assertIn("Unscale, the largest: reference 80\u00a0% of the memory's roof", "".join(page.texts))
        self.assertNotRegex(text, "<caption><span>device.exec_ns in ns")
        section = re.search('<section id="bandwidth">.*?</section>', text, re.S)[0]
        self.assertEqual(section.count("stroke-dasharray"), 2, "the roof in each picture")
        for row in record["measurements"]:
            row.pop("bytes", None)
        self.assertNotIn("bandwidth", self.page_of(self.write("b.json", json.dumps(record)))[0].ids)

    def test_without_a_copy_there_is_no_roof(self):
        record = pages.a_bench()
        record["measurements"].append(pages.a_measurement("device/unscale", "measured", axes={"N": 1000}, bytes=8000))
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        self.assertIn("No roof: device/copy was not measured.", "".join(page.texts))
        self.assertNotIn("Share of the roof", text)

    def test_a_wide_interval_is_marked(self):
        record = pages.a_bench()
        self.assertNotIn("unsteady", "".join(self.page_of(self.write("a.json", json.dumps(record)))[0].texts))
        record["measurements"][0]["interval"]["high"] = 110.0
        self.assertIn("unsteady: ± 9.5 %", "".join(self.page_of(self.write("a.json", json.dumps(record)))[0].texts))

    def test_a_training_step_is_a_stack_of_launches(self):
        record = pages.a_bench()
        record["subjects"].append(record["subjects"][0] | {"id": "other", "subject": "other"})
        record["measurements"] = (pages.a_step("reference", "foreach", {"scale": (1, 0, 0, 1), "unscale_": (2, 3, 0, 0), "step": (13, 0, 1, 4), "update": (1, 0, 0, 0)})
                                  + pages.a_step("other", "foreach", {"scale": (1, 0, 0), "unscale_": (1, 0, 0), "step": (0, 0, 1), "update": (1, 0, 0)})
                                  + pages.a_step("other", "fused", {"scale": (1, 0, 0), "step": (2, 0, 0), "update": (1, 0, 0)}))
        page, text = self.page_of(self.write("a.json", json.dumps(record)))
        section = re.search('<section id="scaler-step">.*?</section>', text, re.S)[0]
        rows = [[re.sub("<.*?>", "", cell) for cell in re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row)[:-1]]
                for row in re.findall("<tr><th scope=\"row\">.*?</tr>", section)]
        self.assertEqual(rows, [["adam, foreach, 100 tensors", "reference", "1", "2", "13", "1", "17", "3", "1", "5"],
                                ["adam, foreach, 100 tensors", "other", "1", "1", "0", "1", "3", "0", "1", ""],
                                ["adam, fused, 100 tensors", "other", "1", "", "2", "1", "4", "0", "0", ""]])
        widths = [[float(width) for width in re.findall('<rect [^>]*width="([0-9.]+)"', row)] for row in re.findall("<tr><th scope=\"row\">.*?</tr>", section)]
        self.assertEqual([len(row) for row in widths], [4, 3, 3], "a call without a launch has no part")
        self.assertAlmostEqual(widths[0][2] + 1, 300 * 13 / 17, delta=0.1)
        self.assertIn("A training step, adam, foreach, 100 tensors: reference 17\u00a0launches, other 3\u00a0launches", "".join(page.texts))

    def test_records_of_two_machines_are_compared_in_their_own_units(self):
        def machine(times):
            record = pages.a_bench()
            record["measurements"] = [pages.a_measurement(f"dispatch/{name}", "measured", center=ns, null_calls={"center": calls, "interval": None})
                                      for name, (ns, calls) in times.items()]
            return record
        a, b = machine({"x": (100, 50), "y": (100, 50)}), machine({"x": (80, 60), "y": (80, 40)})
        page, _ = self.page_of(self.write("a.json", json.dumps(a)), self.write("b.json", json.dumps(b)))
        words = "".join(page.texts)
        self.assertIn("In calls through a pointer: the order changes in 1 of 2 cases", words)
        self.assertIn("b.json < a.json becomes a.json < b.json", words)
        self.assertNotIn("In shares of the roof", words)

    def test_a_run_and_a_bench_of_one_machine_are_of_one_machine(self):
        run = self.record_of("run.json", "--subject", "reference")
        for cpu, said in ((run["environment"]["cpu"], "2 records · a machine · "), ("another CPU", "2 records · 2 machines · ")):
            bench = pages.a_bench()
            bench["environment"] |= {"cpu": cpu, "cores": run["environment"]["cores"]}
            page, _ = self.page_of(self.path("run.json"), self.write("bench.json", json.dumps(bench)))
            self.assertIn(said, "".join(page.texts))

    def test_hostile_text_of_a_bench_is_text(self):
        record = pages.a_bench()
        for measured in record["measurements"]:
            measured["case"] += pages.HOSTILE
            measured["reason"] = measured["reason"] and measured["reason"] + pages.HOSTILE
        for part in (record["environment"], record["subjects"][0], record["warnings"][0]):
            part |= {name: value + pages.HOSTILE for name, value in part.items() if isinstance(value, str) and name not in ("id", "contract", "via")}
        record["meta"]["argv"].append(pages.HOSTILE)
        page, _ = self.page_of(self.write("bench.json", json.dumps(record)))
        self.assertEqual(len([link for link in page.links if link.startswith("data:")]), 1)


if __name__ == "__main__":
    driver.main()
