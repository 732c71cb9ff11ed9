#!/usr/bin/env python3
"""Tests `assay report --extract`: restores the records of a page, and names those left out. Usage: report_records_test.py <folder of the programs>."""

import base64
import gzip
import json
import os
import pathlib
import random

import driver
import pages


class RecordsInPages(pages.PageTest):
    def test_records_come_back_byte_for_byte(self):
        first = self.run_of("r.json", "--subject", self.toy("rude"))
        (self.folder / "other").mkdir()
        second = self.write("other/r.json", json.dumps(pages.shout(self.record())) + "\r\n \n")
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

    def test_on_standard_output_records_are_the_same_data_and_harmless(self):
        record = json.dumps(pages.a_bench() | {"x": "a\u202eb\u009b2J\x7f\u2028\U000e0001é"}, ensure_ascii=False)
        self.page_of(self.write("r.json", record))
        shown = driver.run("report", "--extract", self.path("page.html")).stdout
        self.assertEqual(json.loads(shown), json.loads(record))
        self.assertFalse(set("\u202e\u009b\x7f\u2028\U000e0001") & set(shown))
        self.assertIn("é", shown)

    def test_what_a_page_holds_is_no_command(self):
        packed = base64.b64encode(gzip.compress(b"x\n::add-mask::x\r::y::\n ##[error]\x1b[2J\xff")).decode()
        page = self.write("page.html", f'<a download="r.json.gz" href="data:application/gzip;base64,{packed}">x</a>')
        shown = driver.run("report", "--extract", page, env=os.environ | {"GITHUB_ACTIONS": "true"}).stdout
        self.assertEqual(shown, "x\n\\x3a:add-mask::x ::y::\n #\\u0023[error]\\u001b[2J\ufffd")

    def test_a_page_gives_512_megabytes_in_all(self):
        packed = base64.b64encode(gzip.compress(b" " * (30 << 20))).decode()
        links = "".join(f'<a download="r{i}.json.gz" href="data:application/gzip;base64,{packed}">x</a>' for i in range(20))
        self.write("bomb.html", "<html>" + links)
        done = driver.run("report", "--extract", self.path("bomb.html"), "-o", self.path("out/"))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("the decompressed data are too long", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_a_page_of_many_files_ends_soon(self):
        """Lines of one long file beside many short ones, and more files than any page has."""
        for text, says in (("9001\n2000000 big\n" + "1 a\n" * 9_000 + "\n" * 2_009_000, "text after its end"), ("2000001\n2000000 big\n" + "1 a\n" * 2_000_000, "it has too many files")):
            packed = base64.b64encode(gzip.compress(text.encode(), 1)).decode()
            self.write("many.html", f'<html><a download="records.gz" href="data:application/x-assay-records;base64,{packed}">x</a>')
            done = driver.run("report", "--extract", self.path("many.html"), "-o", self.path("out/"), timeout=driver.PATIENCE)
            self.assertEqual(done.returncode, 2, done.stdout[:200])
            self.assertIn(says, done.stderr)

    def test_what_is_no_record_is_refused(self):
        self.refused("report", says=["needs the file of a record"])
        self.refused("report", self.path("none.json"), "-o", self.path("p.html"), says=["none.json"])
        self.refused("report", self.write("a.json", "{}"), "-o", self.path("p.html"), says=["a.json", "schema"])
        self.refused("report", self.write("b.json", '{"schema": "assay.run/1"}'), "-o", self.path("p.html"), says=["b.json", "argv"])
        self.refused("report", self.write("c.json", '{"schema": "other/1"}'), "-o", self.path("p.html"), says=["other/1", "assay.run/1"])
        self.refused("report", self.run_of("r.json"), says=["-o"])
        self.refused("report", "--extract", self.path("r.json"), says=["holds no record"])
        self.assertFalse((self.folder / "p.html").exists())

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

    def large(self, name, packed_megabytes, seed=1):
        """A record followed by this much white space, which compresses to no less than two bits a character."""
        space = random.Random(seed).randbytes(4_000_000 * packed_megabytes * 3 // 4).translate(b" \t\r\n" * 64)
        (self.folder / name).write_bytes(json.dumps(pages.a_bench()).encode() + space)
        return self.path(name)

    def report(self, *words):
        done = driver.run("report", *words, "-o", self.path("page.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, (self.folder / "page.html").read_text(encoding="utf-8")

    def extracted(self):
        """The names and bytes of the extracted files, and the output."""
        folder = self.folder / "out"
        folder.mkdir(exist_ok=True)
        done = driver.run("report", "--extract", self.path("page.html"), "-o", str(folder))
        return {file.name: file.read_bytes() for file in folder.iterdir()}, done

    def test_a_record_for_which_a_page_has_no_room_is_left_out_and_named(self):
        small, large, other = self.write("a.json", json.dumps(pages.a_bench())), self.large("b.json", 5), self.large("c.json", 1)
        said, text = self.report(large, small, other)
        self.assertLessEqual(len(text.encode()), 5_000_000)
        self.assertIn("1 of 3 records left out of the page (--records all keeps them):\n  not in the page: b.json (15003", said)
        self.assertIn("This page does not hold 1 of its records, which would make it larger than 5 MB", text)
        files, done = self.extracted()
        self.assertEqual(files, {name: (self.folder / name).read_bytes() for name in ("a.json", "c.json")})
        self.assertEqual(done.returncode, 4)
        self.assertIn("INCOMPLETE a record was left out when the page was made:\n  not in the page: b.json (15003", done.stderr)

    def test_of_many_records_as_many_are_held_as_have_room(self):
        paths = [self.large(f"{i}.json", 1, seed=i) for i in range(6)]
        said, text = self.report(*paths)
        files, done = self.extracted()
        self.assertLessEqual(len(text.encode()), 5_000_000)
        self.assertEqual(sorted(files), ["0.json", "1.json", "2.json", "3.json"])
        self.assertIn("2 of 6 records left out of the page", said)
        self.assertEqual(done.returncode, 4)
        for name in ("4.json", "5.json"):
            self.assertIn(f"not in the page: {name} (", done.stderr)

    def test_all_records_or_none_can_be_asked_for(self):
        path = self.large("a.json", 5)
        said, text = self.report(path, "--records", "all")
        self.assertGreater(len(text.encode()), 5_000_000)
        self.assertNotIn("not in the page", said)
        files, done = self.extracted()
        self.assertEqual((files, done.returncode), ({"a.json": (self.folder / "a.json").read_bytes()}, 0))
        (self.folder / "out" / "a.json").unlink()
        said, text = self.report(self.write("small.json", json.dumps(pages.a_bench())), "--records", "none")
        self.assertNotIn("data:", text)
        self.assertIn("This page does not hold 1 of its records, as requested by --records none", text)
        self.assertIn("not in the page: small.json", said)
        files, done = self.extracted()
        self.assertEqual((files, done.returncode), ({}, 4))
        self.assertIn("not in the page: small.json", done.stderr)
        self.refused("report", path, "-o", self.path("p.html"), "--records", "some", says=["fitting, all or none", "some"])


if __name__ == "__main__":
    driver.main()
