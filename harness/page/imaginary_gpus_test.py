#!/usr/bin/env python3
"""A page of three GPUs that nobody has built, in a real browser. Usage: imaginary_gpus_test.py <folder of the programs>. Without Chromium
and Selenium: 77."""

import json
import shutil

import browser
import imaginary_gpus


class ImaginaryGpus(browser.BrowserTest):
    """Compares three imaginary GPUs."""

    def setUp(self):
        super().setUp()
        self.page_of(*(self.write(f"{number}.json", json.dumps(imaginary_gpus.record(gpu))) for number, gpu in enumerate(imaginary_gpus.GPUS)))

    def test_a_matrix_has_the_ratio_and_the_verdict_of_each(self):
        view = self.opened(browser.DESKTOP, scripts=False)
        table = """return [...document.querySelectorAll("#comparison table")].filter((t) => t.caption.textContent.includes("ratios to Imaginary One"))[0]"""
        heads = view.execute_script(f"{table}.tHead.innerText")
        for gpu in imaginary_gpus.GPUS:
            self.assertIn(gpu, heads)
        rows = view.execute_script(f"{table}.tBodies[0].innerText").split("\ndevice/")
        largest = next(row for row in rows if row.startswith("copy/N=67108864"))
        self.assertRegex(largest, r"(?s)faster 181.449.ns.*× 0\.50.* \(0\.50.* – 0\.50.*\).*faster 91.158.ns.*× 0\.25")
        self.assertEqual(view.execute_script(f"{table}.querySelectorAll('tbody svg').length"), 2 * len(list(imaginary_gpus.cases("Imaginary One"))))
        self.assertIn("✗ slower", "".join(rows), "the launches of the third")

    def test_their_costs_in_units_of_their_own_are_ranked_anew(self):
        view = self.opened(browser.TABLET)
        words = view.execute_script("for (const d of document.querySelectorAll('details')) d.open = true; return document.querySelector('#comparison').innerText")
        self.assertRegex(words, r"In calls through a pointer: the order changes in [1-9]\d* of 11 cases")
        self.assertRegex(words, r"In shares of the roof: the order changes in [1-9]\d* of 8 cases")
        self.assertRegex(words, r"In launches: the order changes in [1-9]\d* of 11 cases")
        self.assertRegex(words, r"In cycles: the order changes in [1-9]\d* of 11 cases")
        self.assertRegex(words, r"(?m)^launch/kernel/stream=default\s.*1\.000\s+1\.000\s+1\.000\s.*becomes Imaginary One ≈ Imaginary Two ≈ Imaginary Three$")
        # A launch takes the least time on the second GPU, but the most calls of that machine's host.
        self.assertIn("Imaginary Two < Imaginary One < Imaginary Three becomes Imaginary Three < Imaginary One < Imaginary Two", words)
        self.check_shape(view)
        self.check_quiet(view)

    def test_a_long_name_of_a_subject_stays_in_its_column(self):
        record = imaginary_gpus.record("Imaginary One")
        record["subjects"][0] |= {"id": "x" * 60, "subject": "x" * 60}
        for measured in record["measurements"]:
            measured["subject"] = "x" * 60
        self.page_of(self.write("long.json", json.dumps(record)))
        self.check_shape(self.opened(browser.DESKTOP))

    def test_every_screen_and_every_sheet_says_that_they_are_synthetic(self):
        for width, scheme in ((browser.PHONE, "dark"), (browser.DESKTOP, "light")):
            view = self.opened(width, scheme=scheme, scripts=False)
            hidden = view.execute_script("""
                const hidden = [], note = document.querySelector(".synthetic");
                for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
                  scrollTo({top: y, behavior: "instant"});
                  const place = note.getBoundingClientRect();
                  const there = document.elementFromPoint(place.left + 20, place.top + 12);
                  if (place.top < 0 || place.bottom > innerHeight || !note.contains(there)) hidden.push(y);
                }
                return hidden;""")
            self.assertEqual(hidden, [])
            self.assertIn("Synthetic", view.execute_script("return document.querySelector('.synthetic').innerText"))
        if shutil.which("pdftotext") is None:
            self.skipTest("apt install poppler-utils")
        for paper in self.printed(view):
            self.assertIn("Synthetic: numbers that no machine measured", paper)


if __name__ == "__main__":
    browser.main(ImaginaryGpus)
