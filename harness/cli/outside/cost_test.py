#!/usr/bin/env python3
"""`assay cost` from outside: every loop, what it says of a wrong one, and wrong names. No test looks at a time.
Usage: cost_test.py <folder of the programs>."""

import json
import shutil
import subprocess
import unittest

import driver

QUICK = ["--rounds", "3", "--batch-ms", "0.01"]
# Of the reference; what a libtorch lacks depends on its release and its build.
LACKS_NOTHING = {"reference"}
HAS_LIBTORCH = (driver.BIN / "assay-libtorch.so").exists()


def loops():
    return [line.split()[0] for line in driver.run("cost", "--list").stdout.splitlines()]


class Cost(driver.ProgramTest):
    def timed(self, *words):
        done = driver.run("cost", *QUICK, "--json", self.path("r.json"), *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done, self.record()

    def test_every_loop_has_a_row_for_every_subject(self):
        done, record = self.timed()
        subjects = ["pointer", "reference"] + (["libtorch"] if HAS_LIBTORCH else [])
        self.assertGreaterEqual(len(loops()), 14)
        self.assertEqual([(row["loop"], row["subject"]) for row in record["rows"]],
                         [(loop, subject) for loop in loops() for subject in subjects])
        for loop in loops():
            self.assertRegex(done.stdout, rf"(?m)^{loop} +pointer ")
        self.assertEqual(record["exit"], 0)
        self.assertEqual(record["line"], driver.last_line(done))
        self.assertRegex(record["line"], r"^PASS \d+ of \d+ loops timed; 3 rounds of 0.01 ms; ")

    def test_a_row_was_timed_or_says_why_not(self):
        _, record = self.timed()
        for row in record["rows"]:
            self.assertNotIn("wrong", row)
            if "lacking" in row:
                self.assertNotIn(row["subject"], LACKS_NOTHING, row)
                continue
            self.assertEqual((len(row["samples"]), len(row["pointer"])), (3, 3))
            for name in ("ns", "ratio"):
                self.assertLessEqual(row[name]["low"], row[name]["median"])
                self.assertLessEqual(row[name]["median"], row[name]["high"])

    @unittest.skipUnless(HAS_LIBTORCH, "no libtorch was found by CMake")
    def test_libtorch_lacks_only_what_it_must(self):
        _, record = self.timed("--subject", "libtorch")
        lacking = {row["loop"] for row in record["rows"] if row["subject"] == "libtorch" and "lacking" in row}
        self.assertLessEqual(lacking, {"amp_update_scale", "amp_unscale", "event", "device_guard"})

    def test_named_loops_only(self):
        _, record = self.timed("redispatch", "typed_2", "--subject", "reference")
        self.assertEqual([row["loop"] for row in record["rows"]], ["redispatch"] * 2 + ["typed_2"] * 2)

    def test_a_subject_that_does_not_do_the_loop_has_no_time(self):
        done = driver.run("cost", "empty", *QUICK, "--subject", self.plugin_that_lies(), "--json", self.path("r.json"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("WRONG: after 5 iterations the checksum is 7, not ", done.stdout)
        self.assertTrue(driver.last_line(done).startswith("FAIL 1 of 2 loops timed, 1 wrong"))
        self.assertNotIn("ns", self.record()["rows"][1])

    def test_wrong_usage_is_2_and_nothing_else(self):
        self.refused("cost", "redispach", says=["there is no loop 'redispach'; did you mean redispatch?", "--list"])
        self.refused("cost", "--subject", "referense", says=["cannot time 'referense'", "did you mean reference?"])
        self.refused("cost", "--subject", "python3 mine.py", says=["one process", "shared library"])
        self.refused("cost", "--subject", "./none.so", says=["cannot start the subject './none.so'"])
        self.refused("cost", "--rounds", "0", says=["--rounds"])

    def test_libtorch_that_was_not_built_is_told_in_a_sentence(self):
        alone = shutil.copy(driver.ASSAY, self.path("assay"))

        def cost(*words):
            return subprocess.run([alone, "cost", "empty", *QUICK, *words], capture_output=True, text=True)
        asked = cost("--subject", "libtorch")
        self.assertEqual(asked.returncode, 2)
        self.assertIn("CMake found no libtorch", asked.stderr)
        unasked = cost()
        self.assertEqual(unasked.returncode, 0, unasked.stderr)
        self.assertIn("libtorch was not built here", unasked.stdout)

    def plugin_that_lies(self):
        """A shared library whose every answer is the same."""
        replies = {
            "hello": {"protocol": 1, "name": "liar", "version": "1", "devices": [{"device": "cpu"}], "areas": ["bench"],
                      "threads": False, "release": "2.11", "device_rules": "cuda", "deviations": "strict"},
            "bench.run": {"ns": 1, "checksum": 7, "via": "c++"},
        }
        source = self.write("liar.c", LIAR % tuple(json.dumps(json.dumps(replies[verb])) for verb in ("hello", "bench.run")))
        library = self.path("liar.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
        return library


LIAR = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char reply[4096];
void* assay_open(void) { return reply; }
const char* assay_execute(void* session, const char* command, size_t bytes, size_t* reply_bytes) {
  (void)session;
  char text[4096];
  snprintf(text, sizeof text, "%%.*s", (int)bytes, command);
  const char* id = strstr(text, "\"id\":");
  const char* ok = strstr(text, "hello") ? %s : %s;
  *reply_bytes = (size_t)snprintf(reply, sizeof reply, "{\"id\":%%ld,\"ok\":%%s}", id ? strtol(id + 5, 0, 10) : 0L, ok);
  return reply;
}
void assay_close(void* session) { (void)session; }
"""


if __name__ == "__main__":
    driver.main()
