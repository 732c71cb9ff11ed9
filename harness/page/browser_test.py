#!/usr/bin/env python3
"""Tests pages of `assay report` in a real browser. Usage: browser_test.py <folder of the programs>. Without Chromium and Selenium: 77."""

import contextlib
import http.server
import json
import shutil
import threading

import browser
import driver
import pages

try:
    from selenium import webdriver
    from selenium.webdriver.common.keys import Keys
except ImportError:
    pass  # `browser.main` says so


@contextlib.contextmanager
def served(folder, policy):
    """Serves the folder on this machine, with that policy."""
    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *words):
            super().__init__(*words, directory=str(folder))

        def end_headers(self):
            self.send_header("Content-Security-Policy", policy)
            super().end_headers()

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


class InABrowser(browser.BrowserTest):
    def setUp(self):
        super().setUp()
        record = self.record_of("r.json", "--subject", self.toy("wrong"))
        self.write("hostile.json", json.dumps(pages.shout(record)))
        self.run_of("ok.json")
        bench = pages.a_bench()
        bench["measurements"] += pages.a_step("reference", "foreach", {"scale": (1, 0, 0), "unscale_": (2, 3, 0), "step": (13, 0, 1)})
        bench["measurements"] += [pages.a_measurement("device/copy", "measured", axes={"N": n}, quantity="device.exec_ns", bytes=8 * n)
                                  for n in (1000, 10**6, 10**8)]
        self.write("bench.json", json.dumps(bench))
        self.write("later.json", json.dumps(bench))
        driver.run("litmus", "LT-15", "-n", "20", "--json", self.path("litmus.json"))
        self.page_of(*(self.path(name) for name in ("hostile.json", "ok.json", "bench.json", "later.json", "litmus.json")))

    def test_every_width_light_and_dark_with_scripts_and_without(self):
        for width, scheme, scripts in ((browser.PHONE, "light", True), (browser.PHONE, "dark", False), (browser.TABLET, "dark", True), (browser.DESKTOP, "light", False),
                                       (browser.DESKTOP, "dark", True)):
            with self.subTest(width=width, scheme=scheme, scripts=scripts):
                view = self.opened(width, scheme=scheme, scripts=scripts)
                self.check_shape(view)
                view.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")
                self.check_shape(view)
                self.assertEqual(view.execute_script(browser.CONTRAST), [])
                self.check_quiet(view)

    def test_without_scripts_nothing_is_lost(self):
        with_scripts, without = self.opened(browser.DESKTOP), self.opened(browser.DESKTOP, scripts=False)
        self.assertTrue(with_scripts.find_elements("css selector", "thead button"))
        self.assertFalse(without.find_elements("css selector", "thead button"))
        texts = [view.find_element("css selector", "main").get_attribute("textContent") for view in (with_scripts, without)]
        self.assertEqual(*texts)
        self.check_quiet(without)

    def test_it_prints_on_white_paper_and_no_table_is_cut(self):
        view = self.opened(browser.DESKTOP, scheme="dark")
        landscape = {"width": 1031, "height": 688, "deviceScaleFactor": 1, "mobile": False}  # A4 less its margins
        view.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", landscape)
        view.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.assertEqual(view.execute_script("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(view.execute_script(browser.CONTRAST), [])
        self.assertEqual(view.execute_script("return [...document.querySelectorAll('table')].filter((t) => t.getBoundingClientRect().right > innerWidth + 1)"
                                             ".map((t) => t.caption.textContent)"), [])
        if shutil.which("pdftotext") is None:
            self.skipTest("apt install poppler-utils")
        papers = self.printed(view)
        self.assertGreater(len(papers), 4)
        self.assertLess(len(papers), 60)
        self.assertIn("FAILS", papers[0])
        self.assertIn("What does it cost?", papers[0])
        self.assertIn("This page holds records that it was made from", "".join(papers[-3:]), "the last section")
        for section in ("Verdict", "Failures", "Comparison", "Bandwidth", "Litmus", "Environment", "Records"):
            self.assertRegex("".join(papers), rf"(?m)^\s*{section}$")

    def test_anchors_open_what_they_lead_to(self):
        case = self.record("ok.json")["subjects"][0]["cases"][-1]["id"]
        view = self.opened(browser.DESKTOP, anchor=f"#case-{case}")
        self.assertTrue(view.find_element("id", f"case-{case}").is_displayed())
        view.execute_script("location.hash = '#clause-AMP-101'")
        clause = view.find_element("id", "clause-AMP-101")
        self.assertTrue(clause.get_attribute("open"))

    def test_every_link_leads_to_a_place_that_opens(self):
        view = self.opened(browser.PHONE)
        lost = view.execute_script("""
            const lost = [];
            for (const link of document.querySelectorAll("a[href^='#']")) {
              const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
              if (target === null) { lost.push(link.hash); continue; }
              for (let at = target; at !== null; at = at.parentElement) if (at.tagName === "DETAILS") at.open = false;
            }
            return lost;""")
        self.assertEqual(lost, [])
        for section in ("#failures", "#cost", "#distributions", "#samples", "#litmus"):
            hidden = view.execute_script("""
                location.hash = arguments[0]; location.hash = "";
                const inside = document.querySelector(arguments[0] + " [id]");
                location.hash = "#" + inside.id;
                dispatchEvent(new HashChangeEvent("hashchange"));
                return inside.getClientRects().length === 0;""", section)
            self.assertFalse(hidden, section)
        self.check_quiet(view)

    def test_every_table_that_sorts_keeps_its_rows_and_orders_them(self):
        view = self.opened(browser.DESKTOP)
        view.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")
        odd = view.execute_script("""
            const odd = [];
            for (const table of document.querySelectorAll("table.sorts")) {
              const texts = () => [...table.tBodies[0].rows].map((row) => row.textContent);
              const before = texts().sort().join("|");
              [...table.tHead.rows[0].cells].forEach((head, column) => {
                head.querySelector("button").click();
                // Empty cells stand last, whatever their key.
                const full = [...table.tBodies[0].rows].map((row) => row.cells[column]).filter((cell) => cell.textContent !== "");
                const keys = full.map((cell) => cell.dataset.key).filter((key) => key !== undefined).map(Number);
                if (keys.some((key, i) => i > 0 && key < keys[i - 1])) odd.push(table.caption.textContent + " by " + head.textContent);
                if (head.getAttribute("aria-sort") !== "ascending") odd.push("not said: " + head.textContent);
              });
              if (texts().sort().join("|") !== before) odd.push("rows lost: " + table.caption.textContent);
            }
            return odd;""")
        self.assertEqual(odd, [])
        self.check_quiet(view)

    def test_it_can_be_read_where_a_server_blocks_styles_and_scripts(self):
        """As Jenkins serves the files of a build by default."""
        policy = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';"
        view = browser.started(browser.DESKTOP)
        self.addCleanup(view.quit)
        with served(self.folder, policy) as address:
            view.get(f"{address}/page.html#clause-AMP-101")
            texts = view.execute_script("return [...document.querySelectorAll('main h1, main dt, main caption')].map((e) => e.getClientRects().length)")
            self.assertTrue(texts and any(texts))
            self.assertEqual(view.execute_script("return document.querySelectorAll('thead button').length"), 0, "scripts did run")
            self.assertEqual(view.execute_script("return getComputedStyle(document.querySelector('main')).maxWidth"), "none", "styles were taken")
            self.assertEqual(view.execute_script("return [...document.querySelectorAll('table')].filter((t) => getComputedStyle(t).borderTopWidth === '0px').length"), 0)
            self.assertEqual(view.execute_script("return [...document.querySelectorAll('td.n')].filter((c) => !getComputedStyle(c).textAlign.includes('right')).length"), 0)
            self.assertEqual(view.execute_script("return [...document.querySelectorAll('main svg')].filter((s) => s.getClientRects().length && s.getBoundingClientRect().width === 0).length"), 0)
            view.find_element("css selector", "#clauses details details summary").click()
            self.assertTrue(view.execute_script("return document.querySelector('#clauses details details').open"))

    def test_a_mark_tells_its_case_value_and_interval(self):
        view = self.opened(browser.DESKTOP)
        tip = view.find_element("css selector", ".tip")
        self.assertFalse(tip.is_displayed())
        for place, told in (("#cost tbody svg g", r"^dispatch/typed/tensors=1: reference 100\.5 ns \(99\.5 – 101\.5\)$"),
                            ("#distributions tbody svg", r"^dispatch/typed/tensors=1: Medians of the processes: 8 medians from 100\.5 to 100\.5 ns$"),
                            ("#comparison tbody svg", r"^dispatch/typed/tensors=1: Ratio to the baseline: × 1"),
                            (".picture svg g", r"^device/copy, 8 KB: 100\.5 ns \(99\.5 – 101\.5\), 79\.60 GB/s")):
            with self.subTest(place):
                mark = view.find_element("css selector", place)
                view.execute_script("for (let at = arguments[0]; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;"
                                    "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", mark)
                words = mark.get_attribute("textContent")
                browser.settle(view)
                webdriver.ActionChains(view).move_to_element(mark).perform()
                self.assertRegex(tip.text, told)
                inside = view.execute_script("const r = arguments[0].getBoundingClientRect(); return r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight", tip)
                self.assertTrue(inside)
                self.assertEqual(view.execute_script("return [...arguments[0].querySelectorAll('title')].map((t) => t.textContent).join('')", mark), "", "it would be shown twice")
                webdriver.ActionChains(view).move_to_element(view.find_element("css selector", "h1")).perform()
                self.assertFalse(tip.is_displayed())
                self.assertEqual(mark.get_attribute("textContent"), words)
        self.check_quiet(view)

    def test_the_keyboard_tells_one_mark_after_the_other(self):
        view = self.opened(browser.PHONE)
        drawing = view.find_element("css selector", ".picture svg")
        tip = view.find_element("css selector", ".tip")
        view.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", drawing)
        browser.settle(view)
        view.execute_script("arguments[0].focus({preventScroll: true})", drawing)
        told = [tip.text]
        for key in (Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT):
            webdriver.ActionChains(view).send_keys(key).perform()
            told.append(tip.text)
        self.assertEqual([text.split(": ")[0] for text in told], ["device/copy, 8 KB", "device/copy, 8 MB", "device/copy, 800 MB", "device/copy, 8 MB"])
        webdriver.ActionChains(view).send_keys(Keys.ESCAPE).perform()
        self.assertFalse(tip.is_displayed())
        self.check_quiet(view)

    def test_without_scripts_marks_have_titles(self):
        view = self.opened(browser.DESKTOP, scripts=False)
        self.assertFalse(view.find_elements("css selector", ".tip"))
        titles = view.execute_script("return [...document.querySelectorAll('svg g > title')].map((t) => t.textContent)")
        self.assertTrue(any(title.startswith("device/copy, 8 MB: 100.5 ns (99.5 – 101.5)") for title in titles), titles)
        self.assertIn("reference 100.5 ns (99.5 – 101.5)", titles)
        self.assertIn("unscale_ 2", titles)

    def test_heads_sort_and_fields_filter(self):
        view = self.opened(browser.DESKTOP)
        column = "return [...arguments[0].tBodies[0].rows].filter((r) => !r.hidden).map((r) => r.cells[arguments[1]].textContent)"
        table = view.find_element("css selector", "#verdict table")
        cases = [c.get_attribute("textContent") for c in table.find_elements("css selector", "thead th")].index("Pass")
        button = table.find_elements("css selector", "thead button")[cases]
        button.click()
        rising = view.execute_script(column, table, cases)
        button.click()
        falling = view.execute_script(column, table, cases)
        self.assertEqual(rising, sorted(rising, key=int))
        self.assertEqual(falling, rising[::-1])
        self.assertNotEqual(rising, falling)
        field = view.find_element("css selector", "#cases .filter input")
        view.execute_script("arguments[0].closest('details').open = true", field)
        wanted = self.record("ok.json")["subjects"][0]["cases"][0]["id"]
        field.send_keys(wanted)
        left = view.execute_script(column, view.find_element("css selector", "#cases table"), 0)
        self.assertTrue(left and all(wanted in name for name in left), left)


if __name__ == "__main__":
    browser.main(InABrowser)
