"""What tests of pages in a real browser have in common: opening them, looking at their shape, printing them."""

import base64
import functools
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli" / "outside"))
import pages

# Where Debian's packages are, for any Python.
sys.path.append("/usr/lib/python3/dist-packages")
try:
    from selenium import webdriver
    from selenium.common.exceptions import InvalidSessionIdException
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

CHROMIUM, CHROMEDRIVER = shutil.which("chromium"), shutil.which("chromedriver")
PHONE, TABLET, DESKTOP = 390, 820, 1400
SCRIPTS_OFF = {"profile.managed_default_content_settings.javascript": 2}

# The contrast of each text with its background, as defined by the Web Content Accessibility Guidelines.
CONTRAST = """
const luminance = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0.99) return c; }
  return [255, 255, 255]; };
const poor = [];
for (const e of document.querySelectorAll("main *")) {
  if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.closest("svg")) continue;
  const [a, b] = [luminance(parse(getComputedStyle(e).color).slice(0, 3)), luminance(ground(e).slice(0, 3))].sort((x, y) => y - x);
  if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(e.outerHTML.slice(0, 80));
}
return poor.slice(0, 5);
"""


# Names that break inside a word: row heads are cut where a line may end.
TORN = """
const torn = [];
for (const head of document.querySelectorAll("tbody th")) {
  const walk = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.data;
    if (!/^[\\w./=]{2,24}$/.test(text)) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    if (new Set([...range.getClientRects()].map((rect) => Math.round(rect.top))).size > 1) torn.push(text);
  }
}
return torn.slice(0, 5);
"""

# Column heads that overlap their neighbours.
OVER = """
const over = [];
for (const head of document.querySelectorAll("thead th")) {
  const range = document.createRange();
  range.selectNodeContents(head);
  const cell = head.getBoundingClientRect();
  if ([...range.getClientRects()].some((rect) => rect.left < cell.left - 1 || rect.right > cell.right + 1)) over.push(head.textContent);
}
return over.slice(0, 5);
"""

# Captions that extend beyond the window before scrolling.
CUT = """
return [...document.querySelectorAll("caption span")].filter((s) => s.getClientRects().length && s.getBoundingClientRect().right > innerWidth + 1)
  .map((s) => s.textContent).slice(0, 5);
"""


def started(width, scripts=True, scheme="light"):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    if not scripts:
        options.add_experimental_option("prefs", SCRIPTS_OFF)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    view = webdriver.Chrome(service=Service(CHROMEDRIVER), options=options)
    view.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    view.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    return view


def settle(view):
    """Waits until three frames are drawn."""
    view.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))")


def again_if_the_browser_is_lost(test):
    """On a busy machine the driver now and then loses its browser (`Unable to receive message from renderer`). A page that makes it
    crash does so again."""
    @functools.wraps(test)
    def tried_twice(self):
        try:
            test(self)
        except InvalidSessionIdException as lost:
            print(f"{test.__name__} begins again: {lost.msg.splitlines()[0]}", file=sys.stderr)
            test(self)
    return tried_twice


class BrowserTest(pages.PageTest):
    def __init_subclass__(cls):
        for name, test in list(vars(cls).items()):
            if name.startswith("test_"):
                setattr(cls, name, again_if_the_browser_is_lost(test))

    def opened(self, *words, anchor="", **more):
        view = started(*words, **more)
        self.addCleanup(view.quit)
        view.get((self.folder / "page.html").as_uri() + anchor)
        return view

    def check_quiet(self, view):
        """The console is empty, and nothing but the page itself was requested."""
        self.assertEqual(view.get_log("browser"), [])
        sent = [json.loads(entry["message"])["message"] for entry in view.get_log("performance")]
        asked = [entry["params"]["request"]["url"] for entry in sent if entry["method"] == "Network.requestWillBeSent"]
        self.assertEqual([url for url in asked if "page.html" not in url], [])

    def check_shape(self, view):
        wide = view.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(wide[0], wide[1], "the page is wider than the window")
        self.assertEqual(view.execute_script(CUT), [])
        self.assertEqual(view.execute_script(TORN), [])
        self.assertEqual(view.execute_script(OVER), [])
        self.assertEqual(view.execute_script("return [...document.querySelectorAll('table')].filter((t) => !t.caption || !t.tHead "
                                             "|| !t.querySelector('tbody th[scope=row]')).length"), 0)
        self.assertEqual(view.execute_script("return [...document.querySelectorAll('svg')].filter((s) => !s.querySelector('title') "
                                             "|| !s.querySelector('desc')).length"), 0)

    def printed(self, view):
        """The texts of the printed pages."""
        made = view.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})["data"]
        (self.folder / "page.pdf").write_bytes(base64.b64decode(made))
        text = subprocess.run(["pdftotext", "-layout", self.path("page.pdf"), "-"], capture_output=True, text=True, check=True).stdout
        return text.split("\f")[:-1]


def main(*kinds):
    """Runs the tests of these classes, or the named ones; exits with 77 without Chromium and Selenium."""
    if webdriver is None or CHROMIUM is None or CHROMEDRIVER is None:
        print("no browser: apt install chromium chromium-driver python3-selenium")
        sys.exit(77)
    own = [f"{kind.__name__}.{name}" for kind in kinds for name in vars(kind) if name.startswith("test_")]
    unittest.main(argv=[sys.argv[0], *(sys.argv[1:] or own)])
