#!/usr/bin/env python3
"""The program that the document of the waist begins with is a subject that fails nothing. Usage: document_test.py <folder of the programs>."""

import re
import sys

import driver


class Document(driver.ProgramTest):
    def test_its_program_passes_what_it_answers(self):
        text = (driver.ROOT / "harness/protocol/README.md").read_text(encoding="utf-8")
        program = self.write("mine.py", re.search(r"```python\n(.*?)```", text, re.DOTALL)[1])

        done, record, _ = self.run_and_agree("--subject", f"{sys.executable} {program}", "--filter", "amp/*")

        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreater(record["subjects"][0]["outcomes"]["pass"], 30)
        self.assertEqual(set(record["subjects"][0]["outcomes"]), {"pass", "unsupported"})


if __name__ == "__main__":
    driver.main()
